/** From a manifest to what a network is, whoever runs it: pure, and the one source of `up` and of all exports. */
import { presetDecimals, type PresetName, type TestnetInput, type TestnetPlace, validatorStake } from '@prime/config';
import type { LinkRule, PlainFault } from '@prime/chaos/plain';
import { type Manifest, nodeNames, numbered, type Role } from './manifest.ts';
import { explorerPort, type NodePorts, nodePorts, type SignerPorts, signerPorts, watcherPorts } from './places.ts';
import { needsLinks, type sizeOf } from './touched.ts';
import { wiringOf } from './wiring.ts';

/** A node as the manifest asks for it, with all defaults filled in. */
export interface PlannedNode {
  /** Of its folder: `validator0`. */
  readonly name: string;
  readonly role: Role;
  readonly ports: NodePorts;
  /** Machine of an export; null where there is one for all. */
  readonly host: string | null;
  /** Names of the nodes that it lists. */
  readonly peers: readonly string[];
  /** Of a validator: its sentries. */
  readonly sentries: readonly string[];
  /** Of a sentry: the validators behind it. */
  readonly shields: readonly string[];
  /** Name of its remote signer. */
  readonly signer: string | null;
  /** Callers may ask it: followers, and validators that nothing stands before; sentries where there are neither. */
  readonly isPublic: boolean;
}

/** The signer process of one validator. */
export interface PlannedSigner {
  /** Of its folder: `signer0`. */
  readonly name: string;
  readonly validator: string;
  readonly ports: SignerPorts;
  readonly host: string | null;
}

/** A fault that is done to the network; times in ms from its start. */
export interface PlannedFault {
  readonly beginMs: number;
  readonly endMs: number;
  readonly fault: PlainFault;
  /** For people. */
  readonly words: string;
}

/** Processes beside the nodes; null where there is none. */
export interface PlannedBesides {
  readonly explorer: { readonly port: number };
  readonly makers: NonNullable<Manifest['makers']> | null;
  readonly load: NonNullable<Manifest['load']> | null;
  readonly prometheus: ReturnType<typeof watcherPorts>;
}

/** All that a manifest says, without a file, a key or a process. */
export interface NetworkPlan {
  readonly name: string;
  readonly preset: PresetName;
  readonly seed: string | null;
  /** Of genesis; null: when it is made. */
  readonly timestampMs: number | null;
  /** Validators, then sentries, then followers. */
  readonly nodes: readonly PlannedNode[];
  readonly signers: readonly PlannedSigner[];
  /** What the homes are made of, but for places and identities. */
  readonly made: Pick<TestnetInput, 'genesis' | 'members' | 'followerNames' | 'wiring'>;
  /** By symbols of the markets of the manifest, around which prices are simulated, for a whole unit. */
  readonly prices: Readonly<Record<string, string>>;
  readonly besides: PlannedBesides;
  /** Ways between nodes lead through proxies. */
  readonly hasLinks: boolean;
  /** Of the directed link between two numbers of nodes while nothing is done to it. */
  readonly linkRule: (link: { readonly from: number; readonly to: number }) => Pick<LinkRule, 'latencyMs' | 'jitterMs'>;
  readonly faults: readonly PlannedFault[];
}

/** @param manifest without contradictions */
export function planNetwork(manifest: Manifest): NetworkPlan {
  const { preset, sentries, followers } = manifest;
  const names = nodeNames(manifest);
  const wiring = wiringOf(manifest);
  return {
    name: manifest.name ?? `prime-${preset}`,
    preset,
    seed: manifest.seed ?? null,
    timestampMs: manifest.genesis_time_ms ?? null,
    nodes: names.map((_, index) => plannedNode(manifest, names, wiring, index)),
    signers: manifest.validators.flatMap((__, index) => plannedSigner(manifest, index)),
    made: {
      genesis: genesisOf(manifest),
      members: manifest.validators.map(({ moniker, stake }, index) => ({
        moniker: moniker ?? names[index]!,
        stake: stake === undefined ? validatorStake : BigInt(stake) * 10n ** 18n,
      })),
      followerNames: names.slice(names.length - sentries.length - followers.length),
      wiring,
    },
    prices: Object.fromEntries(
      (manifest.markets ?? []).flatMap(({ symbol, price }) => (price === undefined ? [] : [[symbol, price]])),
    ),
    besides: {
      explorer: { port: explorerPort },
      makers: manifest.makers ?? null,
      load: manifest.load ?? null,
      prometheus: watcherPorts(manifest),
    },
    hasLinks: needsLinks(manifest),
    linkRule: linkRuleOf(manifest, names),
    faults: manifest.faults.map((fault) => plannedFault(fault, names)).toSorted((a, b) => a.beginMs - b.beginMs),
  };
}

function plannedFault(fault: Manifest['faults'][number], names: readonly string[]): PlannedFault {
  const { at_seconds: begin, for_seconds: length, kind, ...fields } = fault;
  return {
    beginMs: begin * 1_000,
    endMs: (begin + length) * 1_000,
    fault: numbered(fault, names),
    words: `${kind} ${JSON.stringify(fields)}`,
  };
}

function plannedNode(
  { validators, sentries, followers, base_port: basePort, remote_signers: remoteSigners }: Manifest,
  names: readonly string[],
  wiring: ReturnType<typeof wiringOf>,
  index: number,
): PlannedNode {
  const { peers, sentries: shield, privatePeers } = wiring[index]!;
  const name = names[index]!;
  const role =
    index < validators.length ? 'validator' : index < validators.length + sentries.length ? 'sentry' : 'follower';
  const isOpen = followers.length > 0 || wiring.slice(0, validators.length).some((each) => each.sentries.length === 0);
  const named = (numbers: readonly number[]): string[] => numbers.map((number) => names[number]!);
  return {
    name,
    role,
    ports: nodePorts(index, basePort),
    host: [...validators, ...sentries, ...followers][index]!.host ?? null,
    peers: named(peers),
    sentries: named(shield),
    shields: named(privatePeers),
    signer: remoteSigners.includes(name) ? `signer${index}` : null,
    // Who stands before others has enough to do; callers get there where nobody else is left.
    isPublic: role === 'sentry' ? !isOpen : shield.length === 0,
  };
}

function plannedSigner(manifest: Manifest, index: number): PlannedSigner[] {
  const validator = `validator${index}`;
  if (!manifest.remote_signers.includes(validator)) return [];
  const { host = null, signer_host: signerHost = host } = manifest.validators[index]!;
  const ports = signerPorts(index, manifest.base_port);
  return [{ name: `signer${index}`, validator, ports, host: signerHost }];
}

function genesisOf(manifest: Manifest): NonNullable<TestnetInput['genesis']> {
  const { name, chain_id: chainId, markets, block_interval_ms: interval, empty_block_interval_ms: empty } = manifest;
  return {
    ...(name === undefined ? {} : { networkName: name }),
    ...(chainId === undefined ? {} : { chainId }),
    ...(interval === undefined ? {} : { minBlockIntervalMs: interval }),
    ...(empty === undefined ? {} : { emptyBlockIntervalMs: empty }),
    ...(manifest.prices === 'none' ? { oracle: false } : {}),
    ...(markets === undefined
      ? {}
      : {
          markets: markets.map((market) => ({
            symbol: market.symbol,
            tickSize: BigInt(market.tick_size),
            lotSize: BigInt(market.lot_size),
            baseDecimals: market.base_decimals ?? presetDecimals.baseDecimals,
            quoteDecimals: market.quote_decimals ?? presetDecimals.quoteDecimals,
            ...(market.price === undefined ? {} : { oracle: true }),
          })),
        }),
  };
}

function linkRuleOf({ latency }: Manifest, names: readonly string[]): NetworkPlan['linkRule'] {
  if (latency === undefined) return () => ({ latencyMs: 0, jitterMs: 0 });
  const { regions, ms, jitter_ms: jitterMs = 0 } = latency;
  const regionOf = names.map((name) => Object.keys(regions).find((region) => regions[region]!.includes(name)));
  return ({ from, to }) => {
    const [a, b] = [regionOf[from], regionOf[to]];
    if (a === undefined || b === undefined) return { latencyMs: 0, jitterMs: 0 };
    const latencyMs = ms[a]?.[b] ?? ms[b]?.[a];
    return latencyMs === undefined ? { latencyMs: 0, jitterMs: 0 } : { latencyMs, jitterMs };
  };
}

/** The node on whose machine runs what is beside the nodes: one that callers may ask, a follower where there is one. */
export const besideNode = ({ nodes }: NetworkPlan): PlannedNode => {
  const open = nodes.filter(({ isPublic }) => isPublic);
  return open.find(({ role }) => role === 'follower') ?? open[0]!;
};

/** Numbers of nodes as chaos runs count them. */
export const sizeOfPlan = ({ nodes }: NetworkPlan): ReturnType<typeof sizeOf> => {
  const validators = nodes.filter(({ role }) => role === 'validator').length;
  return { validators, followers: nodes.length - validators };
};

/** Where a node is, if all of them are on this machine. */
export const placeHere = ({ ports }: Pick<PlannedNode, 'ports'>): TestnetPlace => ({
  listenHost: '127.0.0.1',
  dialHost: '127.0.0.1',
  ...ports,
});
