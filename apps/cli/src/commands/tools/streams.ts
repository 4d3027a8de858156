import type { Command } from 'commander';

/** `prime streams`: what the chain does, into a message bus, a database and files. */
export function addStreamsCommands(program: Command): void {
  const streams = program
    .command('streams')
    .description('Send blocks, events, logs and fills to NATS JetStream, PostgreSQL and files');
  streams
    .command('run')
    .description('Follow a network and write what happens until a signal comes; it goes on where it ended')
    .requiredOption('--config <file>', 'TOML: nodes and sinks')
    .option('--to <height>', 'end by itself once this block is in all sinks')
    .option('--metrics <host:port>', 'serve /metrics for Prometheus')
    .option('--log-format <format>', 'json or pretty', 'pretty')
    .option('--log-level <level>', 'error, warn, info or debug', 'info')
    .action(async (flags) => (await import('../../streams/run.ts')).run(flags));
  streams
    .command('schema')
    .description('Print the JSON Schema of configuration files')
    .action(async () => (await import('../../streams/run.ts')).schema());
}
