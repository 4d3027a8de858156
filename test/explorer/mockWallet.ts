/** A wallet in the browser that says yes, or no, without a person: it announces itself by EIP-6963 and signs with a key of the test. */
import type { Page } from 'playwright-core';
import type { PrivateKeyAccount, TypedDataDefinition } from 'viem';

interface Call {
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface MockWallet {
  /** Methods that it was asked for, in order. */
  readonly asked: readonly string[];
  /** Typed data that it signed. */
  readonly signed: readonly TypedDataDefinition[];
  /** Whether it declines to sign. */
  declines: boolean;
  /** Puts it into a window before the page is loaded. */
  install(page: Page): Promise<void>;
}

/** @param account whose key signs @param name that it announces: its own word */
export function mockWallet(account: PrivateKeyAccount, name: string): MockWallet {
  const asked: string[] = [];
  const signed: TypedDataDefinition[] = [];
  let chainId = '0x1';
  const wallet = { asked, signed, declines: false };
  const answer = async ({ method, params = [] }: Call): Promise<unknown> => {
    asked.push(method);
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [account.address];
      case 'eth_chainId':
        return chainId;
      case 'wallet_switchEthereumChain':
        throw Object.assign(new Error('Unrecognized chain'), { code: 4902 });
      case 'wallet_addEthereumChain':
        ({ chainId } = params[0] as { readonly chainId: string });
        return null;
      case 'eth_signTypedData_v4': {
        if (wallet.declines) throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
        const typedData = JSON.parse(params[1] as string) as TypedDataDefinition;
        signed.push(typedData);
        return account.signTypedData(typedData);
      }
      default:
        throw Object.assign(new Error(`no method ${method}`), { code: 4200 });
    }
  };
  return Object.assign(wallet, {
    async install(page: Page) {
      // Errors have a code, which does not survive the way into a page as an error.
      await page.exposeFunction('askMockWallet', async (call: Call) => {
        try {
          return { result: await answer(call) };
        } catch (error) {
          const { code, message } = error as Error & { readonly code: number };
          return { error: { code, message } };
        }
      });
      await page.addInitScript(`(() => {
        const provider = {
          request: async (call) => {
            const { result, error } = await globalThis.askMockWallet(call);
            if (error) throw error;
            return result;
          },
          on: () => {},
        };
        const info = { uuid: 'mock', name: ${JSON.stringify(name)}, icon: 'https://example.org/icon.png', rdns: 'org.example.mock' };
        const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
        addEventListener('eip6963:requestProvider', announce);
        announce();
      })()`);
    },
  });
}
