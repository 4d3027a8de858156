import { createDesk } from '../createDesk.ts';
import { description, hasOf, restMethods } from '../describe.ts';
import type { Desk } from '../desk.ts';
import { withCcxtErrors } from '../errors.ts';
import { baseClassOf, type CcxtExchange, type CcxtLibrary, type Structure } from '../library.ts';
import { isRpcAnswer } from '../transport.ts';

/** A class of ccxt that makes such exchanges. */
export type ClassOf<exchange> = new (config?: object) => exchange;

/** What the methods of the class are made with. */
export interface PrimeBase extends CcxtExchange {
  /** Runs one method on the instance: its markets are loaded, and what it throws are ccxt's exceptions. */
  onDesk<result>(run: (desk: Desk) => Promise<result>): Promise<result>;
  /** The same before there are markets. */
  bare<result>(run: (desk: Desk) => Promise<result>): Promise<result>;
}

const desks = new WeakMap<CcxtExchange, Desk>();

/** The base class of the ccxt that the program has, with what it says of itself and how it fails. */
export function createBase(library: CcxtLibrary): ClassOf<PrimeBase> {
  // Fields would be set behind the base's constructor, which calls describe: what an instance has stands beside it.
  const deskOf = (exchange: CcxtExchange): Desk => {
    const known = desks.get(exchange);
    if (known !== undefined) return known;
    const desk = createDesk(exchange, library);
    desks.set(exchange, desk);
    return desk;
  };
  return class prime extends baseClassOf(library) implements PrimeBase {
    override describe(): Structure {
      const base = super.describe();
      const has = hasOf(base['has'] as Structure, restMethods, false);
      return this.deepExtend(base, { ...description, pro: false, has });
    }

    /** An error of JSON-RPC says more than the status of HTTP that it comes with. */
    override handleErrors(...answer: readonly unknown[]): unknown {
      const body = answer[6];
      return isRpcAnswer(body) ? true : super.handleErrors(...answer);
    }

    onDesk<result>(run: (desk: Desk) => Promise<result>): Promise<result> {
      return withCcxtErrors(library, this.id, async () => {
        await this.loadMarkets();
        return run(deskOf(this));
      });
    }

    bare<result>(run: (desk: Desk) => Promise<result>): Promise<result> {
      return withCcxtErrors(library, this.id, async () => run(deskOf(this)));
    }
  };
}
