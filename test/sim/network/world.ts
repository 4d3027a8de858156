import { defaultMarketDecimals, type Genesis, genesisHash, type ValidatorSet } from '@prime/codec';
import { type CryptoProvider, keccak256 } from '@prime/crypto';
import { lanTimeouts, type TimeoutConfig, wanTimeouts } from '@prime/consensus';
import type { Peer, PeerMessage } from '@prime/engine';
import { simulatedGenesis } from '@prime/engine/testing';
import type { TestAccount } from '@prime/evm/testing';
import { type Address, createPrng, type Hash, type Prng, utf8ToBytes } from '@prime/primitives';
import { createObserver, type Observer } from '../observer.ts';
import { type Coverage, noCoverage } from './coverage.ts';
import type { NodeDisk, StorageDamage } from './node/disk.ts';
import { createFakeCrypto } from './fakeCrypto.ts';
import { type MembershipDamage, MembershipOracle, simulatedStaking } from './scenario/membership.ts';
import { Ledger } from './ledger.ts';
import { type SessionDamage, type SessionEnd, Sessions } from './node/sessions.ts';
import { ShownSignatures } from './shownSignatures.ts';
import { createVirtualTime, type VirtualTime } from './time.ts';
import { Upgrade, type UpgradeDamage } from './scenario/upgrade.ts';
import { userBalance, Users } from './scenario/users.ts';
import { oneWayMs, Timing, type WanProfile } from './scenario/wan.ts';

/** What a validator does while another one is down for long. */
export const departures = ['leave', 'join', 'rotate'] as const;
export type Departure = (typeof departures)[number];

export interface NetworkOptions {
  readonly seed: number;
  readonly validatorCount: number;
  /** How long links, processes and disks misbehave, ms of virtual time. */
  readonly faultsMs: number;
  /** Blocks that everyone must decide after the faults stop, and how long that may take. */
  readonly blocksAfterFaults: number;
  readonly patienceMs: number;
  /** Crashes take what was not synced with them. */
  readonly powerCuts: boolean;
  /** One honest node loses its blocks or its log in a crash. */
  readonly losesFolder: 'blocks' | 'wal' | null;
  /** Real signatures: twenty times slower. */
  readonly realCrypto: boolean;
  /** Execution as a hash chain, or as it ships with users who transact: some ten times slower. */
  readonly engines: 'hash' | 'real';
  /** Peers judge each other and keep connections by the rules that ship; else everyone is connected who is up. */
  readonly sessions: boolean;
  /** While one validator is down for long, another one leaves, joins or rotates its key. */
  readonly departure: Departure | null;
  /** A copy of a validator's home is started beside the validator. */
  readonly hasCopy: boolean;
  readonly sessionDamage: SessionDamage;
  /** Owners join, leave and rotate keys, and evidence convicts. */
  readonly membership: boolean;
  readonly membershipDamage: MembershipDamage;
  /** Distances between regions, and nothing fails; null where links are short and bad. */
  readonly profile: WanProfile | null;
  /** One node's order book gives other results from block 3 on; with real engines. */
  readonly hasDivergent: boolean;
  /** A validator and a follower answer requests for blocks late and with little, and another follower, that loses its links again and again, asks for them. */
  readonly hasDribblers: boolean;
  /** Nodes take snapshots, with real engines: a newcomer begins with one, and so does who loses its blocks. Two liars offer forged ones. */
  readonly stateSync: boolean;
  /** First block of a new protocol version, which some programs do not know; null where nothing changes. */
  readonly upgradeAt: number | null;
  readonly upgradeDamage: UpgradeDamage;
  /** Honest nodes take any snapshot that fits together; only to show that the simulation notices. */
  readonly trustsSnapshots: boolean;
  /** Honest nodes take every signature for good; only to show that the simulation notices. */
  readonly trustsSignatures: boolean;
  /** To all honest nodes; only to show that the simulation notices. */
  readonly damage: StorageDamage;
}

/** One end of the links. */
export interface Station extends SessionEnd {
  readonly label: string;
  readonly address: Address;
  readonly role: Peer['role'];
  readonly isUp: boolean;
  readonly isHonest: boolean;
  readonly disk: NodeDisk;
  /** Peers that it can be heard by and hear; null is all. */
  readonly circle: ReadonlySet<Address> | null;
  /** Takes messages for the process that runs now: a connection ends with it, and what is under way then reaches no later one. */
  listener(): (from: Address, message: PeerMessage) => void;
  onPeerUp(peer: Peer): void;
  onPeerDown(peer: Peer): void;
}

/** What exists once in a run: time, randomness, links, the observer, and the log of what happened. */
export interface World {
  readonly options: NetworkOptions;
  readonly genesis: Genesis;
  readonly genesisHash: Hash;
  readonly provider: CryptoProvider;
  /** Real signatures, as users make them. */
  readonly crypto: CryptoProvider;
  readonly timeouts: TimeoutConfig;
  /** With real engines. */
  readonly users: Users | null;
  readonly ledger: Ledger | null;
  /** With an upgrade. */
  readonly upgrade: Upgrade | null;
  /** With a profile. */
  readonly timing: Timing | null;
  /** Of each validator: the key of genesis, which is its owner's too, and one to rotate to. */
  readonly keys: ReadonlyMap<Address, readonly Uint8Array[]>;
  readonly oracle: MembershipOracle;
  readonly addresses: readonly Address[];
  readonly time: VirtualTime;
  readonly prng: Prng;
  readonly observer: Observer;
  readonly shownSignatures: ShownSignatures;
  readonly stations: Station[];
  /** null where everyone is connected who is up. */
  readonly sessions: Sessions | null;
  /** Blocks that somebody made against the rules: nobody honest may decide one. */
  readonly invalidBlocks: Set<Hash>;
  /** Links that are cut now, as "from/to". */
  readonly cutLinks: Set<string>;
  readonly seen: Coverage;
  readonly log: readonly string[];
  areFaultsOver(): boolean;
  send(sender: Station, to: Address, message: PeerMessage): boolean;
  note(label: string, line: () => string): void;
}

/** Wall clock at the start of a run; genesis is older. */
export const startMs = 1_700_000_000_000;
/** Lines kept for the report of a failure. */
const logLinesMax = 600;

/** Made once: every run has the same validators. */
const keyMemo: Uint8Array[] = [];
const keyOf = (index: number): Uint8Array => (keyMemo[index] ??= keccak256(utf8ToBytes(`validator ${index}`)));

/** @param accounts of users, where there are real engines */
export function createWorld(
  options: NetworkOptions,
  real: CryptoProvider,
  accounts: readonly TestAccount[] = [],
): World {
  const time = createVirtualTime();
  const prng = createPrng(options.seed);
  const privateKeys = Array.from({ length: options.validatorCount }, (_, index) => keyOf(index));
  const newKeys =
    options.membership || options.departure !== null ? privateKeys.map((_, index) => keyOf(100 + index)) : [];
  const provider = options.realCrypto ? real : createFakeCrypto(real, [...privateKeys, ...newKeys]);
  const everyone = simulatedGenesis(privateKeys.map((key) => provider.publicKey(key)));
  // Who joins later is the last one.
  const validators = everyone.validators.slice(0, options.departure === 'join' ? -1 : undefined);
  const genesis = genesisOf(options, { ...everyone, validators }, accounts);
  const oracle = new MembershipOracle(genesis, provider);
  const setAt = (height: number): ValidatorSet => oracle.setAt(height);
  const invalidBlocks = new Set<Hash>();
  const cutLinks = new Set<string>();
  const stations: Station[] = [];
  const log: string[] = [];
  const link = prng.fork();
  const seen = noCoverage();
  const areFaultsOver = (): boolean => time.nowMs >= options.faultsMs;

  const note: World['note'] = (label, line) => {
    if (log.length >= logLinesMax) log.splice(0, logLinesMax / 2);
    log.push(`${time.nowMs.toString().padStart(7)} ms  ${label.padEnd(4)} ${line()}`);
  };
  const sessions = options.sessions ? sessionsOf(options, { time, seen, note }) : null;
  const hear = (sender: Station, receiver: Station): boolean =>
    receiver !== sender &&
    receiver.isUp &&
    (sessions?.isConnected(sender, receiver) ?? true) &&
    (sender.circle?.has(receiver.address) ?? true) &&
    (receiver.circle?.has(sender.address) ?? true);

  const places = genesis.validators.map(({ address }) => address);
  const farMs = (profile: WanProfile, from: Address, to: Address): number =>
    oneWayMs(profile, places.indexOf(from), places.indexOf(to)) * (1 + link.below(100) / 1_000);
  /** When the message that was sent last over a link arrives: whatever comes before it overtakes it. */
  const lastArrivals = new Map<string, number>();
  const deliver = (sender: Station, receiver: Station, message: PeerMessage, isBad: boolean): void => {
    const delayMs =
      options.profile === null
        ? 1 + link.below(isBad && link.chance(1, 10) ? 600 : 8)
        : farMs(options.profile, sender.address, receiver.address);
    const path = `${sender.label}/${receiver.label}`;
    const arrival = time.nowMs + delayMs;
    const last = lastArrivals.get(path) ?? 0;
    if (arrival < last) seen.messagesOvertaken += 1;
    else lastArrivals.set(path, arrival);
    const hears = receiver.listener();
    time.after(delayMs, () => hears(sender.address, message));
  };

  const send: World['send'] = (sender, to, message) => {
    const receivers = stations.filter((station) => station.address === to && hear(sender, station));
    if (receivers.length === 0) return false;
    const isBad = !areFaultsOver();
    if (cutLinks.has(`${sender.address}/${to}`)) {
      seen.messagesCut += 1;
      return true;
    }
    if (isBad && link.chance(1, 16)) {
      seen.messagesDropped += 1;
      return true;
    }
    const isDoubled = isBad && link.chance(1, 20);
    if (isDoubled) seen.messagesDoubled += 1;
    for (const receiver of receivers)
      for (let copy = 0; copy < (isDoubled ? 2 : 1); copy++) deliver(sender, receiver, message, isBad);
    return true;
  };

  const world: World = {
    options,
    genesis,
    genesisHash: genesisHash(genesis),
    provider,
    crypto: real,
    timeouts: options.profile === null ? lanTimeouts : wanTimeouts,
    users: null,
    ledger: null,
    upgrade: options.upgradeAt === null ? null : new Upgrade(options.upgradeAt, options.upgradeDamage),
    timing: options.profile === null ? null : new Timing(() => time.nowMs),
    keys: new Map(
      everyone.validators.map(({ address }, index) => [
        address,
        [privateKeys[index]!, ...newKeys.slice(index, index + 1)],
      ]),
    ),
    oracle,
    addresses: genesis.validators.map(({ address }) => address),
    time,
    prng,
    observer: createObserver({ setAt, isInvalid: (hash) => invalidBlocks.has(hash) }),
    shownSignatures: new ShownSignatures(),
    stations,
    sessions,
    invalidBlocks,
    cutLinks,
    log,
    areFaultsOver,
    send,
    seen,
    note,
  };
  return options.engines === 'real'
    ? { ...world, users: new Users({ ...world, faultsMs: options.faultsMs, accounts }), ledger: new Ledger() }
    : world;
}

/** Whether peers may come that nobody named: a newcomer does. */
export const isOpen = ({ seed, departure }: NetworkOptions): boolean => seed % 2 === 0 || departure === 'join';

const sessionsOf = (options: NetworkOptions, parts: Pick<World, 'time' | 'seen' | 'note'>): Sessions =>
  new Sessions({
    ...parts,
    prng: createPrng(options.seed ^ 0x5e_55),
    damage: options.sessionDamage,
    isOpen: isOpen(options),
  });

function genesisOf(options: NetworkOptions, plain: Genesis, accounts: readonly TestAccount[]): Genesis {
  const far = { ...plain.consensus, minBlockIntervalMs: 250, precisionMs: 500, messageDelayMs: 2_000 };
  const parts = {
    // Time is what it takes to find out about slow peers, and blocks are not.
    ...(options.hasDribblers && { consensus: { ...plain.consensus, minBlockIntervalMs: 1_000 } }),
    ...((options.membership || options.departure !== null) && { staking: simulatedStaking }),
    ...(options.profile !== null && { consensus: far }),
  };
  if (options.engines === 'hash') return { ...plain, ...parts };
  const account = (address: Address) => ({
    address,
    balance: userBalance,
    nonce: 0,
    code: new Uint8Array(0),
    storage: [],
  });
  const alloc = [...accounts, ...plain.validators].map(({ address }) => account(address));
  return {
    ...plain,
    ...parts,
    alloc,
    markets: [{ symbol: 'PRM/USD', tickSize: 10n ** 15n, lotSize: 1n, ...defaultMarketDecimals }],
  };
}

/** The end of a hash says enough. */
export const short = (hash: Hash | null): string => (hash === null ? 'nil' : `#${hash.slice(-6)}`);
