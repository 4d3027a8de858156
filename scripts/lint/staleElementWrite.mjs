/**
 * Refuses an element assignment whose index or value may replace the array that it writes to.
 *
 *   this.#lengths[this.#take()] = removed;           // #take() may grow #lengths: the write lands in the old array
 *   this.#ids[at] = this.#next();                    // the same, by the value
 *   const ids = this.#ids; const at = this.#take(); ids[at] = 1;   // the same, by a name for the old array
 *
 * JavaScript evaluates the array of an element assignment first (ECMA-262, 13.15.2). A field counts as replaceable when a method of its class other than the
 * constructor assigns it; a call counts when it is one of a method of `this`. Take the place first, then write: `const at = this.#take(); this.#lengths[at] = removed;`.
 */

const isThisField = (node) =>
  node?.type === 'MemberExpression' && !node.computed && node.object.type === 'ThisExpression';
const fieldName = ({ property }) => `${property.type === 'PrivateIdentifier' ? '#' : ''}${property.name}`;
const isFunction = (node) => /Function/.test(node.type);

/** Nodes below one, itself included, without those of functions that are only made there. */
function* nodesBelow(node) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const item of node) yield* nodesBelow(item);
    return;
  }
  if (typeof node.type !== 'string') return;
  yield node;
  for (const key of Object.keys(node)) {
    if (key === 'parent' || key === 'range' || key === 'loc') continue;
    const child = node[key];
    if (child !== null && typeof child === 'object' && !(typeof child.type === 'string' && isFunction(child)))
      yield* nodesBelow(child);
  }
}

const isOwnCall = (node) => node.type === 'CallExpression' && isThisField(node.callee);
const hasOwnCall = (node) => [...nodesBelow(node)].some(isOwnCall);

/** Fields that a method assigns anew. */
function replaceableFields(body) {
  const names = new Set();
  for (const member of body.body) {
    if (member.type !== 'MethodDefinition' || member.kind === 'constructor') continue;
    for (const node of nodesBelow(member.value.body))
      if (node.type === 'AssignmentExpression' && isThisField(node.left)) names.add(fieldName(node.left));
  }
  return names;
}

/** Element assignments of a method's body, in the order of the text. */
function* elementWrites(body) {
  for (const node of nodesBelow(body)) {
    const target =
      node.type === 'AssignmentExpression' ? node.left : node.type === 'UpdateExpression' ? node.argument : null;
    if (target?.type === 'MemberExpression' && target.computed) yield { node, target, value: node.right ?? null };
    else if (
      target?.type === 'TSNonNullExpression' &&
      target.expression.type === 'MemberExpression' &&
      target.expression.computed
    )
      yield { node, target: target.expression, value: node.right ?? null };
  }
}

/** Local names of replaceable fields: `const x = this.#x` and `const { x } = this`. */
function aliases(body, replaceable) {
  const found = new Map();
  for (const node of nodesBelow(body)) {
    if (node.type !== 'VariableDeclarator' || node.init === null) continue;
    if (node.id.type === 'Identifier' && isThisField(node.init) && replaceable.has(fieldName(node.init)))
      found.set(node.id.name, node);
    if (node.id.type === 'ObjectPattern' && node.init.type === 'ThisExpression')
      for (const property of node.id.properties)
        if (property.type === 'Property' && property.key.type === 'Identifier' && replaceable.has(property.key.name))
          found.set(property.value.name ?? property.key.name, node);
  }
  return found;
}

const replacedMessage = (name) =>
  `${name} may be replaced by a call in this statement: take the place and the value first, then write.`;
const aliasMessage = (name) =>
  `${name} was read before a call that may replace it by a larger array: read it after the call.`;

function checkMethod(context, body, replaceable, isReplacer) {
  const names = aliases(body, replaceable);
  const calls = [...nodesBelow(body)].filter((node) => isOwnCall(node) && isReplacer(fieldName(node.callee)));
  for (const { node, target, value } of elementWrites(body)) {
    const array = target.object.type === 'TSNonNullExpression' ? target.object.expression : target.object;
    if (isThisField(array) && replaceable.has(fieldName(array))) {
      if (hasOwnCall(target.property) || (value !== null && hasOwnCall(value)))
        context.report({ node, message: replacedMessage(`this.${fieldName(array)}`) });
    } else if (array.type === 'Identifier' && names.has(array.name)) {
      const declared = names.get(array.name);
      if (calls.some((call) => call.range[0] > declared.range[1] && call.range[0] < node.range[1]))
        context.report({ node, message: aliasMessage(array.name) });
    }
  }
}

/** Methods of a class that assign a replaceable field, by themselves or by a method that they call. */
function replacers(body, replaceable) {
  const methods = new Map();
  for (const member of body.body)
    if (member.type === 'MethodDefinition' && member.value.body)
      methods.set(fieldName({ property: member.key }), member.value.body);
  const found = new Set();
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [name, method] of methods)
      for (const node of nodesBelow(method)) {
        const assigns =
          node.type === 'AssignmentExpression' && isThisField(node.left) && replaceable.has(fieldName(node.left));
        if (assigns || (isOwnCall(node) && found.has(fieldName(node.callee)))) found.add(name);
      }
  }
  return found;
}

const noStaleElementWrite = {
  meta: {
    type: 'problem',
    docs: { description: 'no element assignment to an array that its own index or value may replace' },
  },
  create(context) {
    return {
      ClassBody(body) {
        const replaceable = replaceableFields(body);
        if (replaceable.size === 0) return;
        const found = replacers(body, replaceable);
        for (const member of body.body)
          if (member.type === 'MethodDefinition' && member.value.body)
            checkMethod(context, member.value.body, replaceable, (name) => found.has(name));
      },
    };
  },
};

export default { meta: { name: 'prime' }, rules: { 'no-stale-element-write': noStaleElementWrite } };
