import { createDesk } from '../createDesk.ts';
import { description, hasOf } from '../describe.ts';
import type { Desk } from '../desk.ts';
import { withCcxtErrors } from '../errors.ts';
import { baseClassOf, type CcxtExchange, type CcxtLibrary, type Params, type Structure } from '../library.ts';
import { isRpcAnswer } from '../transport.ts';
import { bareMethods, deskMethods, restMethods } from './restMethods.ts';

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

/** All that goes over HTTP. */
export type PrimeRest = PrimeBase & Bound<typeof bareMethods> & Bound<typeof deskMethods>;

/** The base class of the ccxt that the program has, with what it says of itself and how it fails. */
function createBase(library: CcxtLibrary): ClassOf<PrimeBase> {
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

type Methods = Readonly<Record<string, (desk: Desk, ...parameters: never[]) => Promise<unknown>>>;

/** Methods as an instance has them: each may be given `params`, also where it knows none. */
export type Bound<methods extends Methods> = {
  readonly [name in keyof methods]: methods[name] extends (desk: Desk, ...rest: infer rest) => infer result
    ? (...parameters: [...rest, params?: Params]) => result
    : never;
};

/** A class with methods that work on its desk. @param run what they are run by */
export function withMethods<base extends PrimeBase, methods extends Methods>(
  Base: ClassOf<base>,
  methods: methods,
  run: 'onDesk' | 'bare',
): ClassOf<base & Bound<methods>> {
  const prime = class prime extends (Base as ClassOf<PrimeBase>) {};
  for (const [name, method] of Object.entries(methods))
    Object.defineProperty(prime.prototype, name, {
      configurable: true,
      writable: true,
      value(this: PrimeBase, ...parameters: never[]): Promise<unknown> {
        return this[run]((desk) => method(desk, ...parameters));
      },
    });
  return prime as unknown as ClassOf<base & Bound<methods>>;
}

/** The class over HTTP, made of the ccxt that the program has. */
export const createRest = (library: CcxtLibrary): ClassOf<PrimeRest> =>
  withMethods(withMethods(createBase(library), bareMethods, 'bare'), deskMethods, 'onDesk');
