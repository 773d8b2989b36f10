# slurm: a Slurm of one node in a private folder, without authentication; to be sourced.
#   slurm_start FOLDER, slurm_controller_stop, slurm_controller_start, slurm_stop
# The daemons are those that this file starts, and they are ended by their process numbers.

slurm_free_port() {
    /usr/bin/python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

slurm_start() {
    slurm_folder=$1
    mkdir -p "$slurm_folder/state" "$slurm_folder/spool"
    export SLURM_CONF=$slurm_folder/slurm.conf
    local host
    host=$(hostname -s)
    cat > "$SLURM_CONF" <<CONF
ClusterName=takt
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmctldPort=$(slurm_free_port)
SlurmdPort=$(slurm_free_port)
StateSaveLocation=$slurm_folder/state
SlurmdSpoolDir=$slurm_folder/spool
SlurmctldPidFile=$slurm_folder/slurmctld.pid
SlurmdPidFile=$slurm_folder/slurmd.pid
SlurmctldLogFile=$slurm_folder/slurmctld.log
SlurmdLogFile=$slurm_folder/slurmd.log
SlurmctldTimeout=30
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    slurm_controller_start
    slurmd -D -N "$host" > "$slurm_folder/slurmd.out" 2>&1 &
    slurm_node=$!
    slurm_wait 20 'sinfo --noheader --format=%t 2>/dev/null | grep -q idle'
}

slurm_controller_start() {
    slurmctld -D > "$slurm_folder/slurmctld.out" 2>&1 &
    slurm_controller=$!
}

slurm_controller_stop() {
    kill "$slurm_controller"
    wait "$slurm_controller" 2>/dev/null || true
}

slurm_stop() {
    scancel --user="$(id -un)" 2>/dev/null || true
    kill "$slurm_node" "$slurm_controller" 2>/dev/null || true
    wait "$slurm_node" "$slurm_controller" 2>/dev/null || true
}

# slurm_wait SECONDS COMMAND: until it succeeds.
slurm_wait() {
    local end=$((SECONDS + $1))
    until eval "$2"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.2
    done
}
