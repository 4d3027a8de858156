import { type Signal, signal } from '@preact/signals';
import type { Side } from '@prime/sdk';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Life } from './order.ts';

/** What somebody has typed into the ticket; other parts of the page fill it in. */
export interface TicketState {
  readonly side: Signal<Side>;
  readonly priceText: Signal<string>;
  readonly sizeText: Signal<string>;
  readonly life: Signal<Life>;
  readonly isReduceOnly: Signal<boolean>;
  /** Takes a price that was clicked. */
  price(text: string): void;
  /** Fills in what would close a position. */
  close(side: Side, price: string, size: string): void;
}

/** An empty ticket that buys and rests. */
export function createTicketState(): TicketState {
  const state = {
    side: signal<Side>('buy'),
    priceText: signal(''),
    sizeText: signal(''),
    life: signal<Life>('gtc'),
    isReduceOnly: signal(false),
  };
  return {
    ...state,
    price(text) {
      state.priceText.value = text;
    },
    close(side, price, size) {
      state.side.value = side;
      state.priceText.value = price;
      state.sizeText.value = size;
      state.life.value = 'ioc';
      state.isReduceOnly.value = true;
    },
  };
}

const Context = createContext<TicketState | null>(null);
/** Gives the ticket to the book and the positions beside it, which fill it in. */
export const TicketProvider = Context.Provider;

/** @throws Error outside of the provider */
export function useTicket(): TicketState {
  const ticket = useContext(Context);
  if (ticket === null) throw new Error('no ticket above this component');
  return ticket;
}
