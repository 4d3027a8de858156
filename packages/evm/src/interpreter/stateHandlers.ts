import type { Common } from '@ethereumjs/common';
import type { Log } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import type { Journal } from '../library/journal.ts';
import { isEmptyAccount } from '../state/account.ts';
import type { StateOverlay } from '../state/overlay.ts';
import { failed, type Frame, type Slots } from './frame.ts';
import type { Handler } from './handlers.ts';
import { bytesToWord, wordToAddress, wordToBytes, wordToKey, wordToTrimmed } from './words.ts';

const nothing = new Uint8Array(0);

/** Work of reading a slot or an account, which may be on disk; see {@link Frame.work}. */
const readWork = 128;

/** Storage of a contract as a transaction sees it. What was touched last is what is read and written. */
export class JournaledSlots implements Slots {
  private readonly address: Address;
  private readonly overlay: StateOverlay;
  private readonly journal: Journal;
  private key = '' as Hash;

  constructor(address: Address, overlay: StateOverlay, journal: Journal) {
    this.address = address;
    this.overlay = overlay;
    this.journal = journal;
  }

  touch(slot: bigint): boolean {
    this.key = wordToKey(slot);
    return this.journal.warmSlot(this.address, this.key);
  }

  read(): bigint {
    return bytesToWord(this.overlay.slot(this.address, this.key));
  }

  /** What the slot held when the transaction began (EIP-2200). */
  original(): bigint {
    return bytesToWord(this.overlay.originalSlot(this.address, this.key));
  }

  write(value: bigint): void {
    this.overlay.setSlot(this.address, this.key, wordToTrimmed(value));
  }
}

/** SLOAD, EIP-2929: the state is in this thread, so nothing has to wait for it. */
export function loadSlot(common: Common): Handler {
  const [cold, warm] = [Number(common.param('coldsloadGas')), Number(common.param('warmstoragereadGas'))];
  return (frame) => {
    frame.need(1);
    const { stack, height, slots } = frame;
    const slot = stack[height - 1]!;
    frame.useGas(slots.touch(slot) ? warm : cold);
    frame.work(readWork);
    stack[height - 1] = slots.read(slot);
  };
}

/** SSTORE: EIP-2200 with the numbers of EIP-2929 and EIP-3529. */
function storeSlot(common: Common): Handler {
  const gas = (name: string): number => Number(common.param(name));
  const [sentry, cold, warm] = [gas('sstoreSentryEIP2200Gas'), gas('coldsloadGas'), gas('warmstoragereadGas')];
  const [init, clean] = [gas('sstoreInitEIP2200Gas'), gas('sstoreCleanEIP2200Gas')];
  const clears = gas('sstoreClearRefundEIP2200Gas');
  const refundOf = (original: bigint, current: bigint, value: bigint): number => {
    let refund = 0;
    if (original !== 0n && current === 0n) refund -= clears;
    else if (original !== 0n && value === 0n) refund += clears;
    if (original === value) refund += (original === 0n ? init : clean) - warm;
    return refund;
  };
  return (frame) => {
    const message = frame.message!;
    if (message.isStatic) throw failed.staticChange();
    frame.need(2);
    if (frame.gas <= sentry) frame.exhaust();
    const slots = frame.slots as JournaledSlots;
    const { stack, height } = frame;
    const value = stack[height - 2]!;
    const access = slots.touch(stack[height - 1]!) ? 0 : cold;
    frame.work(readWork);
    const current = slots.read();
    const original = value === current ? current : slots.original();
    if (value === current || original !== current) frame.useGas(access + warm);
    else frame.useGas(access + (original === 0n ? init : clean));
    frame.height = height - 2;
    if (value !== current) message.refund += refundOf(original, current, value);
    slots.write(value);
  };
}

/** LOG0 to LOG4. Its fixed part is paid. */
function writeLog(common: Common, topicCount: number): Handler {
  const [topicGas, byteGas] = [Number(common.param('logTopicGas')), Number(common.param('logDataGas'))];
  return (frame) => {
    const message = frame.message!;
    if (message.isStatic) throw failed.staticChange();
    frame.need(2);
    const offset = frame.peek(0);
    const length = frame.peek(1);
    // The memory first: it bounds the length.
    const memory = frame.memoryGas(offset, length);
    frame.useGas(memory + topicGas * topicCount + byteGas * Number(length));
    frame.need(2 + topicCount);
    const topics: Hash[] = [];
    for (let index = 0; index < topicCount; index++) topics.push(wordToKey(frame.peek(2 + index)));
    frame.height -= 2 + topicCount;
    const log: Log = { address: frame.address.key, topics, data: dataOf(frame, offset, length) };
    if (message.logs === null) message.logs = [log];
    else message.logs.push(log);
  };
}

function dataOf(frame: Frame, offset: bigint, length: bigint): Uint8Array {
  if (length === 0n) return nothing;
  frame.grow();
  return frame.memory.slice(Number(offset), Number(offset + length));
}

/** An instruction that replaces an address by what its account has. */
function ofAccount(common: Common, valueOf: (overlay: StateOverlay, address: Address) => bigint): Handler {
  const [cold, warm] = [Number(common.param('coldaccountaccessGas')), Number(common.param('warmstoragereadGas'))];
  return (frame) => {
    frame.need(1);
    const { stack, height } = frame;
    const { journal, overlay } = frame.message!.world;
    const address = wordToAddress(stack[height - 1]!);
    frame.useGas(journal.warmAddress(address) ? warm : cold);
    frame.work(readWork);
    stack[height - 1] = valueOf(overlay, address);
  };
}

function codeHashOf(overlay: StateOverlay, address: Address): bigint {
  const account = overlay.account(address);
  return account === null || isEmptyAccount(account) ? 0n : bytesToWord(account.codeHash);
}

/** TLOAD and TSTORE, EIP-1153, on the library's transient storage, which its own instructions use as well. */
const transientHandlers: readonly (readonly [number, Handler])[] = [
  [
    0x5c,
    (frame) => {
      frame.need(1);
      const { stack, height } = frame;
      const { transientStorage } = frame.message!.world.machinery.evm;
      stack[height - 1] = bytesToWord(transientStorage.get(frame.address, wordToBytes(stack[height - 1]!)));
    },
  ],
  [
    0x5d,
    (frame) => {
      const message = frame.message!;
      if (message.isStatic) throw failed.staticChange();
      frame.need(2);
      const { transientStorage } = message.world.machinery.evm;
      const value = wordToTrimmed(frame.peek(1));
      transientStorage.put(frame.address, wordToBytes(frame.peek(0)), value);
      frame.height -= 2;
    },
  ],
];

/** What transaction and block say. */
function contextHandlers(common: Common): readonly (readonly [number, Handler])[] {
  const chainId = BigInt(common.chainId());
  const header = (frame: Frame) => frame.message!.world.block.header;
  const handlers: (readonly [number, Handler])[] = [
    [0x32, (frame) => frame.push(frame.message!.world.origin.word)],
    [0x3a, (frame) => frame.push(frame.message!.world.gasPrice)],
    [0x41, (frame) => frame.push(bytesToWord(header(frame).coinbase.bytes))],
    [0x42, (frame) => frame.push(header(frame).timestamp)],
    [0x43, (frame) => frame.push(header(frame).number)],
    [0x45, (frame) => frame.push(header(frame).gasLimit)],
    [0x46, (frame) => frame.push(chainId)],
    [0x47, (frame) => frame.push(frame.message!.world.overlay.account(frame.address.key)?.balance ?? 0n)],
  ];
  if (common.isActivatedEIP(4399)) handlers.push([0x44, (frame) => frame.push(bytesToWord(header(frame).prevRandao))]);
  if (common.isActivatedEIP(3198)) handlers.push([0x48, (frame) => frame.push(header(frame).baseFeePerGas!)]);
  return handlers;
}

/** By opcode: instructions that need the state, the block or the transaction; for frames with a message. */
export const stateHandlers = (common: Common): ReadonlyMap<number, Handler> =>
  new Map<number, Handler>([
    ...contextHandlers(common),
    ...(common.isActivatedEIP(1153) ? transientHandlers : []),
    [0x31, ofAccount(common, (overlay, address) => overlay.account(address)?.balance ?? 0n)],
    [0x3b, ofAccount(common, (overlay, address) => BigInt(overlay.code(address).length))],
    [0x3f, ofAccount(common, codeHashOf)],
    [0x55, storeSlot(common)],
    ...[0, 1, 2, 3, 4].map((count) => [0xa0 + count, writeLog(common, count)] as const),
  ]);
