import { kindTable } from './kindTable.ts';
import type { OperationKind } from './operation.ts';
import type { Scenario } from './schema.ts';

/** Refusals that a scenario intends, or can not help. All others are findings. */
export interface IntendedRefusals {
  /** `data.kind` of what the order book refuses in a block, items of batches included; `failed` is a transaction that fails. */
  readonly reasons: ReadonlySet<string>;
  /** Codes of JSON-RPC errors at admission. */
  readonly codes: ReadonlySet<number>;
}

/** Those of one kind of operations, which is `KIND` or `KIND/STEP`; `fill` begins the books of any kind. */
export function intendedRefusals({ mix }: Scenario, operation: OperationKind): IntendedRefusals {
  const items = mix.filter(
    ({ kind }) => operation === kind || operation.startsWith(`${kind}/`) || operation === 'fill',
  );
  const ofKinds = items.flatMap(({ kind }) => kindTable[kind].refusals ?? []);
  const own = items.flatMap(({ refusals = [] }) => refusals);
  return {
    reasons: new Set([
      ...ofKinds.flatMap(({ reasons }) => reasons),
      ...own.filter((refusal): refusal is string => typeof refusal === 'string'),
    ]),
    codes: new Set([
      ...ofKinds.flatMap(({ codes }) => codes),
      ...own.filter((refusal): refusal is number => typeof refusal === 'number'),
    ]),
  };
}
