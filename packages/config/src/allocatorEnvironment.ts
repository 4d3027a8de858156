/**
 * Environment in which a node is started, for the allocator of glibc; others do not read it. It is read before the program runs, so that a node can not
 * set it for itself (docs/adr/0179-memory-that-holds-something.md).
 *
 * glibc keeps an arena for each thread and, once a large block was freed, takes larger ones out of arenas too: what one thread frees does not go back to
 * the system. Two arenas, and blocks of 256 KiB and more that are mapped alone.
 */
export const allocatorEnvironment = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' } as const;
