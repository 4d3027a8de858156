import { Type } from '@sinclair/typebox';
import { flag, kibibyte, mebibyte, minuteMs, wholeNumber, wholeNumbers } from './schemaTypes.ts';

const bytes = wholeNumbers({ from: kibibyte, to: 1024 * mebibyte, unit: 'bytes' });
const connections = wholeNumbers({ from: 1, to: 1_000_000, unit: 'connections' });

/** Section [ws]. */
export const ws = Type.Object({
  enabled: flag({
    default: true,
    description:
      'Serve WebSockets at the addresses and on the path of JSON-RPC over HTTP; else an upgrade is answered 501.',
  }),
  subscriptions: flag({
    default: true,
    description: 'Serve eth_subscribe and prime_subscribe; else they answer -32601.',
  }),
  connections: connections(1_000, 'WebSocket connections of all clients together; more are answered 503.'),
  connections_per_client: connections(200, 'WebSocket connections of one client: of an API key, or of an address.'),
  subscriptions_per_connection: wholeNumber(
    { default: 1_024, from: 1, to: 1_000_000, unit: 'subscriptions' },
    'Subscriptions of one connection.',
  ),
  buffered_bytes: bytes(4 * mebibyte, 'What one connection may leave unread; a slower reader is closed with 1013.'),
  waiting_bytes: bytes(16 * mebibyte, 'Requests of one connection that wait for their turn; more close it with 1013.'),
  all_buffered_bytes: wholeNumber(
    { default: 512 * mebibyte, from: mebibyte, to: 65_536 * mebibyte, unit: 'bytes' },
    'What all connections together may leave unread or waiting; then whoever does not read is closed with 1013.',
  ),
  requests_per_connection: wholeNumber(
    { default: 256, from: 1, to: 100_000, unit: 'messages' },
    'Messages of one connection that are worked on at once; the others wait.',
  ),
  idle_ms: wholeNumber(
    { default: 2 * minuteMs, from: 8_000, to: 16 * minuteMs, unit: 'ms' },
    'A connection that answers no ping for so long is closed; rounded up to seconds.',
  ),
});
