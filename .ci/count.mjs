// Adds up what every workspace's test run wrote: the slowest files and tests, what failed and why, and the one line that
// closes a CI run.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const sum = { passed: 0, failed: 0, skipped: 0 };
const files = [];
const tests = [];
const failures = [];
for (const folder of ['apps', 'packages']) {
  for (const report of find(folder)) {
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites, testResults } = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    sum.passed += numPassedTests;
    sum.skipped += numPendingTests;
    // A file that does not even load has no failed test to count.
    sum.failed += Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0);
    for (const { name, startTime, endTime, status, message, assertionResults } of testResults) {
      const file = name.slice(process.cwd().length + 1);
      files.push({ name: file, ms: endTime - startTime });
      if (status === 'failed' && message) failures.push({ name: file, messages: [message] });
      for (const { fullName, duration, status, failureMessages } of assertionResults) {
        const name = `${file}: ${fullName}`;
        tests.push({ name, ms: duration ?? 0 });
        if (status === 'failed') failures.push({ name, messages: failureMessages ?? [] });
      }
    }
  }
}
printSlowest('files', files);
printSlowest('tests', tests);
for (const { name, messages } of failures)
  process.stdout.write(`${name}\n${messages.map((message) => message.slice(0, 3_000)).join('\n')}\n\n`);
// Once more in two lines each and last, because a log that is cut keeps its end.
for (const { name, messages } of failures)
  process.stdout.write(`FAILED ${name}\n  ${shorten(messages[0] ?? '')}\n`);
process.stdout.write(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped\n`);

function printSlowest(what, rows) {
  const slowest = rows.sort((a, b) => b.ms - a.ms).slice(0, 10);
  const lines = slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${name}`);
  process.stdout.write(`\nThe ten slowest ${what}:\n${lines.join('\n')}\n\n`);
}

/** The error, and the first place in it that is ours. */
function shorten(message) {
  const [error = '', ...lines] = message.split('\n');
  const place = lines.find((line) => line.includes('at ') && !/node_modules|node:/.test(line)) ?? '';
  return `${error.slice(0, 240)} ${place.replace(`${process.cwd()}/`, '').trim().slice(0, 120)}`;
}

// Not globSync: Node 20 has none, and CI may run this with the machine's own Node.
function find(folder) {
  return readdirSync(folder)
    .map((name) => `${folder}/${name}/.vitest`)
    .filter((results) => existsSync(results))
    .flatMap((results) => readdirSync(results).map((name) => `${results}/${name}`))
    .filter((file) => file.endsWith('.json'));
}
