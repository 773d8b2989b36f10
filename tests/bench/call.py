"""Print the median processor seconds of timing a program's text from Python. usage: call.py PROGRAM"""

import statistics
import sys
import time

import takt

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()


def call() -> float:
    start = time.process_time()
    takt.run(text).cycles
    return time.process_time() - start


call()  # sets the machine up
print(statistics.median(call() for _ in range(200)))
