/** How long a test waits for what must come, ms: long enough for any machine, and shorter than jest waits for the test. */
export const deadlineMs = 180_000;

/**
 * Waits until a condition holds. Asks again as soon as the last answer is there, with a breath between, and fails with the
 * last error when the deadline passes.
 */
export async function until<T>(what: string, probe: () => Promise<T | null | false>): Promise<T> {
  const end = Date.now() + deadlineMs;
  let last: unknown = 'never true';
  while (Date.now() < end) {
    try {
      const result = await probe();
      if (result !== null && result !== false) return result;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${what}: not within ${deadlineMs} ms (${String(last)})`);
}
