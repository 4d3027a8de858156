import { createTestnet, type Testnet } from '@prime/testkit';

/**
 * Four validators that do not refuse calls while the machine is busy: here they share its cores with one another and with the
 * clients, so a late timer says nothing about them. Overload has tests of its own.
 */
export const createPatientTestnet = (): Promise<Testnet> =>
  createTestnet({
    validators: 4,
    environment: { PRIME_LIMITS_BUSY_DELAY_MS: '60000', PRIME_LIMITS_OVERLOAD_DELAY_MS: '60000' },
  });
