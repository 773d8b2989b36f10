/* A store behind memory. */
static int clear(int *at)
{
    return *at = 0; /* faults here */
}

int main(void)
{
    return clear((int *)0x400000);
}
