/** Lets a page hear something else than what its node says. */
import type { Page } from 'playwright-core';

interface Call {
  readonly id: unknown;
  readonly method: string;
}
interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
}

/** @param node URL of the node @param change what becomes of the results of a method */
export async function lieAbout(
  page: Page,
  node: string,
  method: string,
  change: (result: Record<string, unknown>) => unknown,
): Promise<void> {
  const { origin } = new URL(node);
  await page.route(
    (url) => url.origin === origin,
    async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const asked = route.request().postDataJSON() as Call | readonly Call[];
      const calls = Array.isArray(asked) ? (asked as readonly Call[]) : [asked as Call];
      const response = await route.fetch().catch(() => null);
      // The node is away, or the page is gone.
      if (response === null) return route.abort().catch(() => undefined);
      const answered = (await response.json().catch(() => null)) as Answer | readonly Answer[] | null;
      if (answered === null) return route.abort().catch(() => undefined);
      const changed = (answer: Answer): Answer => {
        const isMeant = calls.some((call) => call.id === answer.id && call.method === method);
        return isMeant && answer.result != null
          ? { ...answer, result: change(answer.result as Record<string, unknown>) }
          : answer;
      };
      const json = Array.isArray(answered) ? (answered as readonly Answer[]).map(changed) : changed(answered as Answer);
      await route.fulfill({ response, json }).catch(() => undefined);
    },
  );
}
