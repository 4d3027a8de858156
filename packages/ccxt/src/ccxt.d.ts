/** The installed ccxt as this package uses it. Its own types come with it; in this workspace it is not installed. */
declare module 'ccxt' {
  import type { CcxtLibrary } from './library.ts';

  /** Everything that ccxt's types say of an exchange. */
  export interface Exchange {
    readonly id: string;
  }

  const ccxt: CcxtLibrary;
  export default ccxt;
}
