import { LightClientError } from '../light/errors.ts';

const lightErrorOf = (thrown: unknown): LightClientError => {
  if (thrown instanceof LightClientError) return thrown;
  throw thrown;
};

const believed = (): never => {
  throw new Error('it was believed');
};

/** The error that something is refused with. @throws Error when it is not refused, or with an error of another class */
export function refusal(attempt: () => unknown): LightClientError {
  try {
    attempt();
  } catch (thrown) {
    return lightErrorOf(thrown);
  }
  return believed();
}

/** The error that a promise is refused with. @throws Error when it is kept, or refused with an error of another class */
export const rejection = (promise: Promise<unknown>): Promise<LightClientError> => promise.then(believed, lightErrorOf);
