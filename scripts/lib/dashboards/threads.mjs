import { dashboard, quantile, rate, units } from './build.mjs';

export const threads = dashboard({
  uid: 'prime-threads',
  title: 'Bus and threads',
  words: 'Which thread has no time, and what waits for it.',
  rows: {
    Threads: [
      {
        title: 'Processor',
        words:
          'Seconds of a processor in each second; `other` is the main thread, pools, compiler and garbage collector.',
        unit: units.ratio,
        targets: { '{{thread}} {{instance}}': rate('prime_thread_cpu_seconds_total') },
      },
      {
        title: 'Event loop',
        words:
          'Part of the time in which it was busy; more than the processor time where the thread waits for a processor.',
        unit: units.ratio,
        max: 1,
        targets: { '{{thread}} {{instance}}': rate('prime_thread_event_loop_busy_seconds_total') },
      },
      {
        title: 'Heap',
        words: 'Part of the heap that is in use.',
        unit: units.ratio,
        max: 1,
        targets: { '{{thread}} {{instance}}': 'prime_thread_heap_bytes{@} / prime_thread_heap_limit_bytes{@}' },
      },
      {
        title: 'Buffers outside of the heap',
        words: 'By thread.',
        unit: units.bytes,
        targets: { '{{thread}} {{instance}}': 'prime_thread_external_bytes{@}' },
      },
    ],
    Bus: [
      {
        title: 'Time of a request between threads, 99 of 100',
        words: 'To its answer, with what was done for it.',
        unit: units.seconds,
        targets: { '{{link}} {{instance}}': quantile(0.99, 'prime_bus_request_seconds', 'link') },
      },
      {
        title: 'Messages',
        words: 'By ring; side a is the thread that the link names first.',
        unit: units.perSecond,
        targets: { '{{link}} {{side}}': `sum by (link, side) (${rate('prime_bus_messages_total')})` },
      },
      {
        title: 'Bytes',
        words: 'By ring.',
        unit: units.bytesPerSecond,
        targets: { '{{link}} {{side}}': `sum by (link, side) (${rate('prime_bus_bytes_total')})` },
      },
      {
        title: 'In the rings',
        words: 'Bytes that wait now.',
        unit: units.bytes,
        targets: { '{{link}} {{side}} {{instance}}': 'prime_bus_depth_bytes{@}' },
      },
      {
        title: 'Most in the rings',
        words: 'Since the start.',
        unit: units.bytes,
        targets: { '{{link}} {{side}} {{instance}}': 'prime_bus_depth_max_bytes{@}' },
      },
      {
        title: 'Refused messages',
        words: 'The ring was full.',
        unit: units.perSecond,
        targets: { '{{link}} {{side}} {{instance}}': rate('prime_bus_full_total') },
      },
      {
        title: 'Sleeps of readers',
        words: 'A thread that sleeps has time.',
        unit: units.perSecond,
        targets: { '{{link}} {{side}} {{instance}}': rate('prime_bus_waits_total') },
      },
    ],
  },
});
