/* Calls, data and zeros; prints by the log instructions. */
#include <stdint.h>

#include "kelvin.h"

static int zeros[100];
static int table[] = {1, 2, 3, 4};

static int fib(int n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        if (zeros[i]++)
            return 2;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum = 10 * sum + table[i];
    LOG(3, "ten");
    LOG(1, fib(10));
    LOG(1, sum / 7 % 100);
    LOG(0, "fib %s is %d, %d\n");
    return fib(10) == 55 ? 0 : 1;
}
