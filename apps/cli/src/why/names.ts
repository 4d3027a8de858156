import type { RegisteredValidator, Validator } from '@prime/sdk';
import { listNames } from '@prime/sdk/explain';
import { usageError, notFound } from '../errors.ts';

type Named = Pick<Validator | RegisteredValidator, 'address' | 'moniker'>;

/**
 * The validator that somebody names by its address or its moniker.
 *
 * @throws CliError `CLI_NOT_FOUND` with those that there are, `CLI_USAGE` where several have the name
 */
export function validatorNamed<Known extends Named>(validators: readonly Known[], given: string): Known {
  const address = given.toLowerCase();
  const found = validators.filter((validator) => validator.address === address || validator.moniker === given);
  const [one, ...others] = found;
  if (one === undefined) {
    const there = listNames(validators.map(({ moniker }) => moniker));
    throw notFound(
      `no validator ${given}: give an address, or one of the monikers; this network has ${there} (prime validator list shows all)`,
      given,
    );
  }
  if (others.length > 0)
    throw usageError(
      `${found.length} validators are called ${given}: give the address of one, ${listNames(found.map((each) => each.address))}`,
      'VALIDATOR',
    );
  return one;
}
