import { text } from 'node:stream/consumers';

// Reads what `npm sbom` wrote and prints it under the service's name, without TypeScript, which the
// Dockerfile takes out, and without what differs each time: its number and its time, both of which CycloneDX leaves open.
const [service, version] = process.argv.slice(2);
const { serialNumber: _, metadata, ...bill } = JSON.parse(await text(process.stdin));
const { timestamp: __, component, ...about } = metadata;
const named = { ...component, type: 'application', name: `rubrica/${service}`, ...(version && { version }) };
const isTakenOut = ({ name }) => name === 'typescript' || name.startsWith('@typescript/');
const gone = new Set(bill.components.filter(isTakenOut).map((one) => one['bom-ref']));
const components = bill.components.filter((one) => !isTakenOut(one));
const dependencies = bill.dependencies
  .filter(({ ref }) => !gone.has(ref))
  .map(({ dependsOn = [], ...one }) => ({ ...one, dependsOn: dependsOn.filter((ref) => !gone.has(ref)) }));
process.stdout.write(
  `${JSON.stringify({ ...bill, components, dependencies, metadata: { ...about, component: named } }, null, 1)}\n`,
);
