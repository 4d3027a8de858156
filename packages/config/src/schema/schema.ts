/**
 * The configuration of a node: every key with its default, unit and documentation, in one place. From here come the typed
 * result, the environment variables, the messages, the written config.toml and docs/reference/configuration.md.
 *
 * What all validators must agree on stands in genesis and not here: these values may differ from node to node, and
 * changing one needs a restart and nothing else.
 */
import { Type } from '@sinclair/typebox';
import { limits } from './limitsSchema.ts';
import {
  choice,
  convertKey,
  flag,
  type Loaded,
  listenAddress,
  minuteMs,
  requiredListenAddress,
  uniqueKey,
  unitKey,
  webAddress,
  wholeNumber,
  wholeNumbers,
} from './schemaTypes.ts';
import { p2p } from './p2pSchema.ts';
import { history, snapshots, storage, sync } from './storageSchema.ts';
import { upgradesSection } from '../genesis/upgrades.ts';
import { ws } from './webSocketSchema.ts';

const apiKey = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description: 'Unique name, for messages and logs.',
    }),
    hash: Type.String({
      pattern: '^sha256:[0-9a-f]{64}$',
      description: 'SHA-256 of the key, as `prime apikey new` prints it. The key itself is kept nowhere.',
    }),
    requests_per_second: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Calls per second, 0 is no limit; absent: limits.client_requests_per_second.',
      }),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000,
        description: 'Calls in work at once, 0 is no limit; absent: limits.client_concurrency.',
      }),
    ),
    methods: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_.]*\\*?$', minLength: 1 }), {
        maxItems: 256,
        description: 'Allowed methods, for instance eth_call or eth_*; absent or empty: all.',
      }),
    ),
    operator: Type.Optional(
      Type.Boolean({ description: 'Opens rpc.operator_listen from other machines; absent: false.' }),
    ),
  },
  { additionalProperties: false },
);

const blocks = wholeNumbers({ from: 0, to: 100_000, unit: 'blocks' });
const niceness = wholeNumbers({ from: 0, to: 19, unit: 'niceness' });
const poolSize = wholeNumbers({ from: 0, to: 64, unit: 'threads' });
const timeoutMs = wholeNumbers({ from: 1, to: 10 * minuteMs, unit: 'ms' });
const timeoutDeltaMs = wholeNumbers({ from: 0, to: minuteMs, unit: 'ms' });

const node = Type.Object({
  role: choice(['validator', 'full', 'archive'], {
    default: 'validator',
    description:
      'validator votes; full follows and serves reads; archive is full and keeps every state and every block.',
  }),
});

const rpc = Type.Object({
  listen: requiredListenAddress({ default: '127.0.0.1:8545', description: 'Public JSON-RPC over HTTP POST.' }),
  operator_listen: listenAddress({
    default: '',
    description:
      'JSON-RPC for the operator: serves also what the privacy fork hides. Callers on other machines need an API key with operator = true.',
  }),
  access: choice(['open', 'keys'], {
    default: 'open',
    description: 'open takes callers without an API key on rpc.listen; keys does not.',
  }),
  api_keys: Type.Array(apiKey, {
    default: [],
    maxItems: 1_000,
    [uniqueKey]: 'name',
    description: 'API keys by their hashes, with what each may do.',
  }),
  cors_origins: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), {
    default: ['*'],
    maxItems: 256,
    [unitKey]: 'origins; JSON in the environment',
    description: 'Origins whose pages may call rpc.listen, for instance https://app.example; * is any.',
  }),
  explorer_url: webAddress({
    default: '',
    description:
      'Where an explorer shows this network, for instance https://explorer.example; the page that a browser gets at rpc.listen links to it, and its pages may call.',
  }),
  trusted_proxies: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    default: [],
    maxItems: 256,
    [unitKey]: 'addresses or networks; JSON in the environment',
    [convertKey]: 'networks',
    description: 'Proxies whose X-Forwarded-For is believed, for instance 127.0.0.1 or 10.0.0.0/8.',
  }),
  idle_ms: wholeNumber(
    { default: 75_000, from: 10_000, to: 15 * minuteMs, unit: 'ms' },
    'An HTTP connection without a request is closed after about that; with uWebSockets.js 20.30 always after 10 s.',
  ),
});

const admin = Type.Object({
  listen: listenAddress({
    default: '127.0.0.1:9100',
    description: 'HTTP for operators: GET /health /ready /status /metrics /consensus /stages.',
  }),
  stage_stamps: wholeNumber(
    { default: 0, from: 0, to: 4_194_304, unit: 'stamps' },
    'Stamps of stages that are kept for GET /stages, so that load runs tell where time goes; about 45 bytes each. 0 makes none, until POST /stages/keep asks for some.',
  ),
});

const consensus = Type.Object({
  propose_ms: timeoutMs(400, 'Wait for a proposal in round 0, then prevote nil.'),
  propose_delta_ms: timeoutDeltaMs(200, 'Added to propose_ms per later round.'),
  prevote_ms: timeoutMs(150, 'Wait after prevotes of 2/3 of the power without a decision.'),
  prevote_delta_ms: timeoutDeltaMs(100, 'Added to prevote_ms per later round.'),
  precommit_ms: timeoutMs(150, 'Wait after precommits of 2/3 of the power without a decision.'),
  precommit_delta_ms: timeoutDeltaMs(100, 'Added to precommit_ms per later round.'),
  rebroadcast_ms: timeoutMs(1_000, 'Without progress for so long, own votes and known certificates are sent again.'),
  rebroadcast_delta_ms: timeoutDeltaMs(500, 'Added to rebroadcast_ms per later round.'),
  cap_ms: timeoutMs(minuteMs, 'No timeout of a round grows beyond this.'),
  lookback_blocks: blocks(
    100,
    'Newest stored blocks that a starting validator searches for signatures that its sign state lacks.',
  ),
  watch_blocks: blocks(
    20,
    'Blocks that others decide while a validator whose home is older than the use of its key only watches; 0 lets it sign at once and may cost its stake.',
  ),
  watch_always: flag({
    default: false,
    description:
      'Watch at every start. Where validators with a third of the power do so and start together, no block is decided.',
  }),
});

const signer = Type.Object({
  address: listenAddress({
    default: '',
    description: 'Remote signer that holds the hot key; without one the key is in keys/signer.json.',
  }),
  spki: Type.String({
    default: '',
    pattern: '^(0x[0-9a-fA-F]{64})?$',
    [unitKey]: '0x and 64 hex digits',
    description: "SHA-256 of the public key in the signer's TLS certificate, as `prime signer init` prints it.",
  }),
});

const threads = Type.Object({
  evm_readers: poolSize(0, 'Pool for eth_call and eth_estimateGas; 0 is one per two cores, at least one.'),
  gateway_nice: niceness(
    10,
    'How far the gateway thread stands back when processors are short, so that blocks keep their pace. Linux only.',
  ),
  reader_nice: niceness(15, 'The same for the reader threads. Linux only.'),
  crypto_workers: poolSize(0, 'Pool for recovering the senders of transactions; 0 is one per two cores, at least one.'),
  hang_ms: wholeNumber(
    { default: 60_000, from: 0, to: 3_600_000, unit: 'ms' },
    'A thread that does not answer the supervisor for so long ends the node with exit code 70, so that it is started anew; 0 waits for ever.',
  ),
});

const clob = Type.Object({
  shards: wholeNumber(
    { default: 1, from: 1, to: 64, unit: 'threads' },
    'Threads over which matching is spread by market; 1 matches in the order book thread. No result depends on it, so validators may differ.',
  ),
  shard_actions_min: wholeNumber(
    { default: 500, from: 1, to: 1_000_000, unit: 'actions' },
    'With shards: blocks with fewer actions are matched in the order book thread, which is sooner done than waking others.',
  ),
});

const log = Type.Object({
  level: choice(['error', 'warn', 'info', 'debug', 'trace'], {
    default: 'info',
    description: 'Least level that is written.',
  }),
  format: choice(['json', 'pretty'], { default: 'json', description: 'json for machines, pretty for eyes.' }),
});

/** Sections in the order in which they are written and documented. */
export const configSchema = Type.Object({
  node,
  rpc,
  ws,
  p2p,
  admin,
  consensus,
  signer,
  storage,
  history,
  snapshots,
  sync,
  upgrades: upgradesSection,
  threads,
  clob,
  limits,
  log,
});

/** The whole configuration of a node: sections and keys of config.toml in camelCase, every value checked. */
export type NodeConfig = Loaded<typeof configSchema>;

/** An API key by its hash. */
export type ApiKeyConfig = NodeConfig['rpc']['apiKeys'][number];

/** A listed peer. */
export type PeerConfig = NodeConfig['p2p']['peers'][number];
