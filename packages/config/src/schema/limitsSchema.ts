import { mempoolLimits } from './mempoolLimits.ts';
import { Type } from '@sinclair/typebox';
import { kibibyte, mebibyte, minuteMs, wholeNumber, wholeNumbers } from './schemaTypes.ts';

/** Section [limits]: what a node does for its callers at most. Each is told in the error of whoever meets it. */

const bytes = wholeNumbers({ from: kibibyte, to: 1024 * mebibyte, unit: 'bytes' });
const calls = wholeNumbers({ from: 1, to: 1_000_000, unit: 'calls' });
const filters = wholeNumbers({ from: 1, to: 1_000_000, unit: 'filters' });
const requestMs = wholeNumbers({ from: 100, to: 10 * minuteMs, unit: 'ms' });
const sendSyncMs = wholeNumbers({ from: 1, to: 10 * minuteMs, unit: 'ms' });
const waitMs = wholeNumbers({ from: 10, to: 10 * minuteMs, unit: 'ms' });

const requestLimits = {
  body_ms: requestMs(
    30_000,
    'Time for an HTTP request body to arrive, and for an answer to be taken; slower ones are ended.',
  ),
  body_stall_ms: requestMs(
    6_000,
    'Time without a byte of an HTTP request body that has begun; such a request is answered 408.',
  ),
  buffered_bytes: wholeNumber(
    { default: 256 * mebibyte, from: mebibyte, to: 64 * 1024 * mebibyte, unit: 'bytes' },
    'Unfinished request bodies, and answers that callers have not taken yet; more answers 503.',
  ),
  http_requests: wholeNumber(
    { default: 4_096, from: 1, to: 1_000_000, unit: 'requests' },
    'HTTP requests that are received or answered at once; more answer 503.',
  ),
  nesting_depth: wholeNumber(
    { default: 64, from: 8, to: 1_000, unit: 'levels' },
    'Nested arrays and objects in a request body.',
  ),
  client_requests_per_second: wholeNumber(
    { default: 0, from: 0, to: 1_000_000, unit: 'calls/s' },
    'Calls per second of one client without an API key (an IPv4 address, an IPv6 /64 network); 0 is no limit.',
  ),
  client_burst: calls(
    100,
    'Calls that such a client may make at once after being silent, before client_requests_per_second holds.',
  ),
  client_concurrency: wholeNumber(
    { default: 0, from: 0, to: 1_000_000, unit: 'calls' },
    'Calls of one such client in work at once; 0 is no limit.',
  ),
  reader_queue: calls(2_048, 'Calls that wait for a reader thread, heavy ones half as many; more answer -32005.'),
  reader_wait_ms: waitMs(5_000, 'How long a call waits for a reader thread before it answers -32005.'),
  consensus_reads: wholeNumber(
    { default: 32, from: 1, to: 10_000, unit: 'calls' },
    'Reads of mempool and network that the consensus thread is asked at once; others wait in the gateway.',
  ),
  busy_delay_ms: waitMs(
    200,
    'When the gateway is so late, rpc.listen refuses heavy calls (eth_call, eth_getLogs, traces …).',
  ),
  overload_delay_ms: waitMs(1_000, 'When the gateway is so late, rpc.listen refuses everything with 503.'),
};

/** The section as {@link configSchema} has it. */
export const limits = Type.Object({
  ...requestLimits,
  body_bytes: wholeNumber(
    { default: 5 * mebibyte, from: kibibyte, to: 256 * mebibyte, unit: 'bytes' },
    'Largest HTTP request body; more answers 413.',
  ),
  batch_items: wholeNumber({ default: 1_000, from: 1, to: 100_000, unit: 'calls' }, 'Calls in one JSON-RPC batch.'),
  response_bytes: bytes(25_000_000, 'Size of the answers to one batch, and of a trace.'),
  answer_bytes: bytes(
    100_000_000,
    'Size of the answer to a call that is in no batch: a full block of orders has to fit.',
  ),
  pending_requests: calls(10_000, 'Calls in work at once; more answer -32005.'),
  answer_cache_bytes: wholeNumber(
    { default: 32 * 1024 * 1024, from: 0, to: 4 * 1024 * 1024 * 1024, unit: 'bytes' },
    'Answers of eth_call and eth_getLogs that are kept until the next block; 0 keeps none.',
  ),
  log_block_range: wholeNumber(
    { default: 100_000, from: 1, to: 10_000_000, unit: 'blocks' },
    'Span of eth_getLogs and prime_getDomainEvents.',
  ),
  log_count: wholeNumber({ default: 20_000, from: 1, to: 1_000_000, unit: 'logs' }, 'Logs or events in one answer.'),
  filters: filters(10_000, 'Filters (eth_newFilter and its siblings) of all clients together.'),
  filters_per_client: filters(1_000, 'Filters of one client: of an API key, or of an address.'),
  filter_idle_ms: wholeNumber(
    { default: 5 * minuteMs, from: 1_000, to: 24 * 60 * minuteMs, unit: 'ms' },
    'A filter that nobody asks for so long is removed.',
  ),
  pending_hashes: wholeNumber(
    { default: 65_536, from: 1, to: 10_000_000, unit: 'hashes' },
    'Pending transactions that filters remember; a poll that comes later than that is told so.',
  ),
  proof_slots: wholeNumber(
    { default: 1_024, from: 1, to: 100_000, unit: 'slots' },
    'Storage slots that one eth_getProof proves.',
  ),
  call_gas: wholeNumber(
    { default: 50_000_000, from: 21_000, to: Number.MAX_SAFE_INTEGER, unit: 'gas' },
    'Gas of eth_call, eth_estimateGas, eth_createAccessList and debug_traceCall, and of all calls of one eth_simulateV1.',
  ),
  inline_call_gas: wholeNumber(
    { default: 100_000, from: 0, to: 1_000_000, unit: 'gas' },
    'Calls whose code spends no more of their gas than this, and calls no other contract, run at the head in the thread that reads the requests, for at most a millisecond; accounts at the head are read there too. 0 gives all to the readers.',
  ),
  call_ms: waitMs(5_000, 'Time of eth_call, eth_estimateGas, eth_createAccessList and eth_simulateV1.'),
  simulated_blocks: wholeNumber(
    { default: 256, from: 1, to: 10_000, unit: 'blocks' },
    'Blocks of one eth_simulateV1, with the empty ones that fill gaps between numbers.',
  ),
  simulated_calls: calls(5_000, 'Calls in all blocks of one eth_simulateV1.'),
  trace_ms: waitMs(10_000, 'Time of a debug_trace method; a caller may ask for less.'),
  action_ms: requestMs(
    10_000,
    'How long a call that writes waits for its block before it answers that the outcome is unknown.',
  ),
  send_sync_ms: sendSyncMs(20_000, 'How long eth_sendRawTransactionSync waits when its caller does not say.'),
  send_sync_ms_max: sendSyncMs(
    minuteMs,
    'The longest that eth_sendRawTransactionSync waits, whatever its caller says.',
  ),
  ...mempoolLimits,
});
