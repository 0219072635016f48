// Lint rules of our own: what a pure library may not read (the clock, chance, the process, the machine's zone), and
// what a test may not do (be left out).
// oxlint's own restricted-* rules cannot tell `new Date()` (the clock) from `new Date(ms)` (arithmetic), and one
// rule with one name for each wall lets test/arch plant a violation and see exactly that rule fire.

const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate']);
const CHANCE = new Set(['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync', 'getRandomValues']);
// Getters and setters of Date that answer in the zone of the machine, and everything that asks for its locale.
const LOCAL =
  /^(?:get|set)(?:Day|Date|Month|Year|FullYear|Hours|Minutes|Seconds)$|^getTimezoneOffset$|^localeCompare$|^toLocale/;

/** The name that a member expression asks for, also where it is written as a string in brackets. */
function propertyOf(node) {
  if (!node.computed) return node.property.name;
  return node.property.type === 'Literal' ? String(node.property.value) : undefined;
}

/** True where the name is not declared anywhere in the file: it is the global of that name. */
function isGlobal(context, node, name) {
  if (node?.type !== 'Identifier' || node.name !== name) return false;
  for (let scope = context.sourceCode.getScope(node); scope; scope = scope.upper) {
    const variable = scope.set.get(name);
    if (variable && variable.defs.length > 0) return false;
  }
  return true;
}

/** A rule that reports one message at the nodes that its visitors pick. */
function rule(message, visitors) {
  return {
    meta: { type: 'problem', messages: { wall: message }, schema: [] },
    create: (context) => visitors(context, (node) => context.report({ node, messageId: 'wall' })),
  };
}

const noClock = rule(
  'The clock is injected: take the instant as an argument (now comes in with the command).',
  (context, report) => ({
    NewExpression(node) {
      if (isGlobal(context, node.callee, 'Date') && node.arguments.length === 0) report(node);
    },
    CallExpression(node) {
      // Called without `new`, Date ignores its arguments and answers with the time of day.
      if (isGlobal(context, node.callee, 'Date')) report(node);
    },
    MemberExpression(node) {
      const name = propertyOf(node);
      if (name === 'now' && isGlobal(context, node.object, 'Date')) report(node);
      // Temporal is a global or imported from the polyfill: its clock is the same one.
      if (name === 'Now' && node.object.type === 'Identifier' && node.object.name === 'Temporal')
        report(node);
      if (isGlobal(context, node.object, 'performance')) report(node);
    },
  }),
);

const noTimers = rule(
  'A pure library does not wait: a timeout is an ordinary command with its own instant (see libs/duties).',
  (context, report) => ({
    Identifier(node) {
      if (TIMERS.has(node.name) && isGlobal(context, node, node.name)) report(node);
    },
  }),
);

const noRandomness = rule(
  'A pure library takes no chances: ids come in with the command, or are derived from it (nameId, eventId).',
  (context, report) => ({
    MemberExpression(node) {
      const name = propertyOf(node);
      if (name === 'random' && isGlobal(context, node.object, 'Math')) report(node);
      if (name !== undefined && CHANCE.has(name)) report(node);
    },
    ImportSpecifier(node) {
      if (CHANCE.has(node.imported.name)) report(node);
    },
  }),
);

const noProcess = rule(
  'A pure library does not know its process: configuration is read once, in libs/wiring, and passed in.',
  (context, report) => ({
    Identifier(node) {
      const parent = node.parent;
      if (parent?.type === 'MemberExpression' && parent.property === node && !parent.computed) return;
      if (parent?.type === 'Property' && parent.key === node && !parent.computed && !parent.shorthand) return;
      if (isGlobal(context, node, 'process')) report(node);
    },
  }),
);

const noMachineZone = rule(
  'The zone and locale of the machine decide nothing: use the UTC methods of Date, @headworks/calendars for days of a zone, and < or > to compare strings.',
  (context, report) => ({
    NewExpression(node) {
      if (isGlobal(context, node.callee, 'Date') && node.arguments.length > 1) report(node);
    },
    MemberExpression(node) {
      const name = propertyOf(node);
      if (name !== undefined && LOCAL.test(name)) report(node);
    },
  }),
);

const RUNNERS = new Set(['it', 'test', 'describe', 'fit', 'fdescribe', 'xit', 'xtest', 'xdescribe']);
const LEFT_OUT = new Set(['skip', 'only', 'todo', 'failing']);

/** Any callee down to the name it starts with: `it.each(rows)(...)` starts with `it`. */
function rootOf(callee) {
  let node = callee;
  while (node && node.type !== 'Identifier') {
    node = node.type === 'CallExpression' ? node.callee : (node.object ?? node.tag);
  }
  return node?.name;
}

const noSkippedTests = rule(
  'Every test runs: finish it or take it out. A server it needs is brought by the test, never a reason to skip.',
  (context, report) => ({
    // Also where it is only named: `const maybe = hasServer ? describe : describe.skip`.
    MemberExpression(node) {
      if (node.object.type !== 'Identifier' || !RUNNERS.has(node.object.name)) return;
      const name = propertyOf(node);
      if (name === undefined || LEFT_OUT.has(name)) report(node);
    },
    Identifier(node) {
      if (/^[fx](?:it|test|describe)$/.test(node.name) && isGlobal(context, node, node.name)) report(node);
    },
  }),
);

const SPEC_FUNCTION_LINES = 60;

/** `describe(...)` and `describe.each(...)(...)` hold tests; their length is the file's, which has its own limit. */
function holdsTests(call) {
  return call?.type === 'CallExpression' && rootOf(call.callee) === 'describe';
}

const specFunctionLines = rule(
  `A function of a spec has at most ${SPEC_FUNCTION_LINES} lines: split the test, or name a helper. (describe does not count.)`,
  (context, report) => {
    const check = (node) => {
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > SPEC_FUNCTION_LINES && !holdsTests(node.parent)) report(node);
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
);

export default {
  meta: { name: 'headworks' },
  rules: {
    'no-clock': noClock,
    'no-timers': noTimers,
    'no-randomness': noRandomness,
    'no-process': noProcess,
    'no-machine-zone': noMachineZone,
    'no-skipped-tests': noSkippedTests,
    'spec-function-lines': specFunctionLines,
  },
};
