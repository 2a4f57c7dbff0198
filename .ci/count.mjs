// Adds up what every workspace's test run wrote, for the one line that closes a CI run.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const sum = { passed: 0, failed: 0, skipped: 0 };
for (const folder of ['apps', 'packages']) {
  for (const file of find(folder)) {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    sum.passed += numPassedTests;
    sum.skipped += numPendingTests;
    // A file that does not even load has no failed test to count.
    sum.failed += Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
  }
}
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`);

// Not globSync: Node 20 has none, and CI may run this with the machine's own Node.
function find(folder) {
  return readdirSync(folder)
    .map((name) => `${folder}/${name}/.vitest`)
    .filter((results) => existsSync(results))
    .flatMap((results) => readdirSync(results).map((name) => `${results}/${name}`));
}
