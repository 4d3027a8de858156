import type { PrimeClient } from '../client.ts';

type Action = (client: PrimeClient, parameters: never) => unknown;

/** Actions without their first parameter, which is the client that they are bound to. */
type Bound<actions> = {
  readonly [name in keyof actions]: actions[name] extends (client: PrimeClient, ...rest: infer rest) => infer result
    ? (...rest: rest) => result
    : never;
};

/** Actions of a module as methods of a client. A generic one loses its type parameter: bind that by hand. */
export const bindActions = <actions extends Readonly<Record<string, Action>>>(
  client: PrimeClient,
  actions: actions,
): Bound<actions> =>
  Object.fromEntries(
    Object.entries(actions).map(([name, action]) => [name, (parameters: never) => action(client, parameters)]),
  ) as Bound<actions>;
