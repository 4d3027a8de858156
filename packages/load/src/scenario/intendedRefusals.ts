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

/** Those of one kind of operations, which is `KIND` or `KIND/STEP`. */
export function intendedRefusals({ mix }: Scenario, operation: OperationKind): IntendedRefusals {
  const refusals = mix
    .filter(({ kind }) => operation === kind || operation.startsWith(`${kind}/`))
    .flatMap(({ kind }) => kindTable[kind].refusals ?? []);
  return {
    reasons: new Set(refusals.flatMap(({ reasons }) => reasons)),
    codes: new Set(refusals.flatMap(({ codes }) => codes)),
  };
}
