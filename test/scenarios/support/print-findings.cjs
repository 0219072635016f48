// Prints the offset of the machine, then the findings of every clause of every pack on drawn facts, one line each.
const { drawFacts, loadRules } = require('@headworks/rules-engine');

console.log(new Date(Date.UTC(2027, 0, 1)).getTimezoneOffset());
for (const versions of loadRules(process.argv[2]).packs.values()) {
  for (const pack of versions) {
    const clauses = [...pack.clauses.keys()];
    // Noon UTC on the days of both clock changes, and between.
    for (const now of [Date.UTC(2027, 2, 14, 12), Date.UTC(2027, 6, 4, 12), Date.UTC(2027, 10, 7, 12)]) {
      for (const facts of drawFacts(pack, { seed: now % 1000, now, count: 40 })) {
        const source = (name) =>
          facts[name] === undefined ? undefined : { json: facts[name], from: { source: 'payload' } };
        for (const finding of pack.evaluate({ clauses, facts: source, now }))
          console.log(JSON.stringify(finding));
      }
    }
  }
}
