build2/tests/elf_lines.o: tests/elf_lines.c tests/elf_lines.h
tests/elf_lines.h:
