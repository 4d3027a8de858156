import { type ActionPayload, changeText, decodeNativeTransaction } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import { formatDecimal, formatInteger, formatWei, shortHex } from '../kit/format.ts';
import { marketName, type Markets, priceWords, sizeWords } from './markets.ts';

/** An action of a block in words. */
export interface DescribedAction {
  /** Name of its type; null where this explorer cannot read it. */
  readonly type: string | null;
  /** Account that it is for. */
  readonly account: `0x${string}` | null;
  readonly words: string;
}

/** @param raw the action as it was signed @param markets those that are known, for human units */
export function describeAction(raw: `0x${string}`, markets: Markets): DescribedAction {
  try {
    const { account, payload } = decodeNativeTransaction(hexToBytes(raw));
    const address = account as string as `0x${string}`;
    return {
      type: typeWords[payload.type] ?? payload.type,
      account: address,
      words: describePayload(payload, markets),
    };
  } catch {
    // Of a network with rules that are newer than this page: the bytes are shown as they are.
    return {
      type: null,
      account: null,
      words: `${formatInteger((raw.length - 2) / 2)} bytes that this explorer cannot read`,
    };
  }
}

const typeWords: Readonly<Partial<Record<ActionPayload['type'], string>>> = {
  cancelByClientId: 'cancel',
  cancelAll: 'cancel all',
  scheduleCancel: 'schedule cancel',
  trigger: 'trigger',
  bracket: 'order',
  addMarket: 'open market',
  setMargin: 'set margin',
  approveAgent: 'approve agent',
  revokeAgent: 'revoke agent',
  bridgeDequeue: 'bridge',
  enqueueEvmToOrders: 'bridge',
  lockAccount: 'lock account',
  createSubAccount: 'create sub-account',
  change: 'change parameter',
};

const amount = (wei: bigint): string => formatDecimal(formatWei(wei), { digitsMax: 6 });

function describePayload(payload: ActionPayload, markets: Markets): string {
  switch (payload.type) {
    case 'order':
    case 'bracket': {
      const market = markets.get(payload.marketId);
      const { side, size, price, tif } = payload;
      if (market === undefined) return `${side} ${size} at ${price} in market ${payload.marketId}, ${tif}`;
      return `${side} ${sizeWords(market, size)} at ${priceWords(market, price)}, ${tif}`;
    }
    case 'trigger':
      return `${payload.kind.replace('_', ' ')}: ${payload.side} in ${marketName(markets, payload.marketId)}`;
    case 'cancel':
    case 'modify':
      return `order ${payload.orderId}`;
    case 'cancelByClientId':
      return `order with client id ${shortHex(payload.clientId)}`;
    case 'cancelAll':
      return payload.marketId === null ? 'orders in all markets' : `orders in ${marketName(markets, payload.marketId)}`;
    case 'batch':
      return describeBatch(payload.items);
    case 'deposit':
      return amount(payload.amount);
    case 'withdraw':
    case 'transfer':
    case 'enqueueEvmToOrders':
      return `${amount(payload.amount)} to ${shortHex(payload.to)}`;
    case 'liquidate':
      return shortHex(payload.address);
    case 'approveAgent':
    case 'revokeAgent':
      return shortHex(payload.agent);
    case 'addMarket':
      return payload.symbol;
    case 'change':
    case 'propose':
      return changeText(payload.change);
    case 'vote':
      return `${payload.yes ? 'yes' : 'no'} to ${shortHex(payload.proposal)}`;
    case 'createSubAccount':
      return `number ${payload.index}`;
    default:
      return '';
  }
}

/** `9 × cancel, 2 × order`, most first. */
function describeBatch(items: readonly ActionPayload[]): string {
  const counts = new Map<string, number>();
  for (const { type } of items) counts.set(typeWords[type] ?? type, (counts.get(typeWords[type] ?? type) ?? 0) + 1);
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([type, count]) => `${count} × ${type}`)
    .join(', ');
}
