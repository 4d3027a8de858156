import { describe, expect, it } from '@jest/globals';
import { primeOrdersAddress as contractAddress } from '@prime/contracts';
import { definePrimeChain, ordersAddress, prime } from './chain.ts';

describe('chains', () => {
  it('the order book’s address is that of its contract', () => {
    expect(ordersAddress).toBe(contractAddress);
    expect(prime.contracts).toMatchObject({ orders: { address: contractAddress } });
  });

  it('another network has its own id and nodes', () => {
    const chain = definePrimeChain({ id: 5, name: 'Other', http: ['https://a.example', 'https://b.example'] });
    expect(chain).toMatchObject({
      id: 5,
      name: 'Other',
      rpcUrls: { default: { http: ['https://a.example', 'https://b.example'] } },
    });
    expect(chain.rpcUrls.default.webSocket).toBeUndefined();
  });
});
