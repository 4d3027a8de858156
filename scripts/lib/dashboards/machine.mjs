import { dashboard, rate, units } from './build.mjs';

export const machine = dashboard({
  uid: 'prime-machine',
  title: 'Machine',
  words: 'What the process takes of the machine, and what is left.',
  rows: {
    Memory: [
      {
        title: 'Memory in RAM',
        words: 'Beyond the limit the system ends the process.',
        unit: units.bytes,
        targets: {
          'resident {{instance}}': 'process_resident_memory_bytes{@}',
          'limit {{instance}}': 'prime_memory_limit_bytes{@}',
        },
      },
      {
        title: 'JavaScript heaps',
        words: 'Of all threads.',
        unit: units.bytes,
        targets: { '{{instance}}': 'process_heap_bytes{@}' },
      },
    ],
    Processor: [
      {
        title: 'Processors in use',
        words: 'Seconds of a processor in each second.',
        targets: { '{{instance}}': rate('process_cpu_seconds_total') },
      },
      {
        title: 'Open files',
        words: 'From a quarter of the limit on callers wait.',
        unit: units.ratio,
        targets: { '{{instance}}': 'process_open_fds{@} / process_max_fds{@}' },
      },
    ],
    Disk: [
      {
        title: 'Free',
        words: 'Of the file system of the home.',
        unit: units.bytes,
        targets: { '{{instance}}': 'prime_disk_free_bytes{@}' },
      },
      {
        title: 'In use',
        words: 'Part of that file system.',
        unit: units.ratio,
        max: 1,
        targets: { '{{instance}}': '1 - prime_disk_free_bytes{@} / prime_disk_size_bytes{@}' },
      },
      {
        title: 'Free in a day',
        words: 'If it goes on as in the last six hours; below 0 it is full before.',
        unit: units.bytes,
        targets: { '{{instance}}': 'predict_linear(prime_disk_free_bytes{@}[6h], 86400)' },
      },
    ],
  },
});
