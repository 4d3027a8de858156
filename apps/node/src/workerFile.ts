/**
 * Where the module of a thread is, by its path below this folder.
 *
 * The one place that knows: the build puts this module beside the folders of the bundled threads, while the code that starts them
 * may end up in any file (`scripts/bundle.mjs`).
 */
export const workerFile = (path: `${string}.worker.js`): URL => new URL(`./${path}`, import.meta.url);
