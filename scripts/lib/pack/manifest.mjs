/** The manifest of a package as it is published. */

/** Order of the fields as people read them. */
const taken = ['version', 'license', 'type', 'sideEffects'];

/**
 * @param description an entry of `publicPackages`
 * @param manifest of the workspace
 * @param root manifest of the repository
 * @param manifests of all workspaces, by name: they know versions of libraries
 * @param libraries names of the libraries that the published code imports
 * @param environment of a workflow: the repository is known there
 * @throws Error for a library that no manifest declares
 */
export function publishedManifest({ description, manifest, root, manifests, libraries, environment }) {
  const { name, keywords, assets, folder } = description;
  const peers = manifest.peerDependencies ?? {};
  const dependencies = Object.fromEntries(
    libraries
      .filter((library) => peers[library] === undefined)
      .map((library) => [library, rangeOf(library, manifest, manifests)]),
  );
  return {
    name,
    ...Object.fromEntries(taken.map((field) => [field, manifest[field]])),
    description: description.description,
    keywords,
    ...repositoryOf(folder, environment),
    engines: { node: root.engines.node },
    // For tools that know no `exports`.
    main: manifest.exports['.'].default,
    types: manifest.exports['.'].types,
    exports: manifest.exports,
    ...typesVersionsOf(manifest.exports),
    files: ['dist', ...assets],
    ...(Object.keys(dependencies).length > 0 ? { dependencies } : {}),
    ...(Object.keys(peers).length > 0 ? { peerDependencies: peers } : {}),
    publishConfig: { access: 'public', provenance: true },
  };
}

/** Types of the entries beside `.`, for the same tools. */
function typesVersionsOf(exports) {
  const entries = Object.entries(exports).filter(([name, target]) => name !== '.' && typeof target === 'object');
  const types = Object.fromEntries(entries.map(([name, target]) => [name.slice('./'.length), [target.types]]));
  return entries.length > 0 ? { typesVersions: { '*': types } } : {};
}

/** Whoever installs it shares libraries with others: any version that promises the same. */
function rangeOf(library, manifest, manifests) {
  for (const { dependencies } of [manifest, ...manifests.values()]) {
    const version = dependencies?.[library];
    if (version !== undefined) return `^${version}`;
  }
  throw new Error(`${manifest.name} imports ${library}, which no package declares`);
}

/** Provenance is only accepted for the repository that the workflow runs in. */
function repositoryOf(directory, { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository }) {
  if (server === undefined || repository === undefined) return {};
  return { repository: { type: 'git', url: `git+${server}/${repository}.git`, directory } };
}
