import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { kubernetesFiles } from '../src/deploy/kubernetes/generated-files.ts';
import { makeSecrets } from '../src/deploy/make-secrets.ts';
import { deployables, fileChecker } from '../src/deploy/read-deployable-settings.ts';
import { copyOfDeploy } from './support/compose.ts';
import { type Facts, sentences } from './support/kubernetes-sentences.ts';
import { demandedPolicies } from './support/network-facts.ts';
import { type KubeObject, render, whyNotRendered } from './support/rendered.ts';
import { madeSecrets, secretsOf } from './support/secret-facts.ts';
import { settingFacts } from './support/setting-faults.ts';

const reason = await whyNotRendered();
const overlays = ['overlays/small', 'overlays/production'];
const each = Object.entries(sentences);

/** The form of each kind, as Kubernetes' own descriptions of its interface have it. */
const forms = {
  v1: () => import('kubernetes-models/v1'),
  'apps/v1': () => import('kubernetes-models/apps/v1'),
  'batch/v1': () => import('kubernetes-models/batch/v1'),
  'policy/v1': () => import('kubernetes-models/policy/v1'),
  'autoscaling/v2': () => import('kubernetes-models/autoscaling/v2'),
  'networking.k8s.io/v1': () => import('kubernetes-models/networking.k8s.io/v1'),
} as const;

type Form = new (object: unknown) => { validate(): void };

async function formFault(object: KubeObject): Promise<string | undefined> {
  const load = forms[object.apiVersion as keyof typeof forms];
  const Kind = ((await load?.()) as Record<string, Form> | undefined)?.[object.kind];
  if (Kind === undefined) return `${object.apiVersion} ${object.kind} is in no table`;
  try {
    new Kind(structuredClone(object)).validate();
    return undefined;
  } catch (error) {
    return `${object.kind} ${object.metadata.name}: ${(error as Error).message}`;
  }
}

test.each(
  (await kubernetesFiles()).map(
    (file) => [`${basename(dirname(file.path))}/${basename(file.path)}`, file] as const,
  ),
)('%s is what `npm run generate` writes', async (_, { path, text }) => {
  expect(await readFile(path, 'utf8')).toBe(text);
});

describe.skipIf(reason !== undefined)(
  `the objects for Kubernetes${reason === undefined ? '' : ` (${reason})`}`,
  () => {
    const rendered = new Map<string, KubeObject[]>();
    let facts: Facts;
    beforeAll(async () => {
      facts = { settings: await settingFacts(), policies: await demandedPolicies() };
      for (const overlay of overlays) rendered.set(overlay, await render(overlay));
    });
    const of = (overlay: string): KubeObject[] => structuredClone(rendered.get(overlay) ?? []);

    describe.each(overlays)('%s', (overlay) => {
      test('has a Deployment of each service and the form that Kubernetes demands', async () => {
        const objects = of(overlay);
        const names = objects
          .filter(({ kind }) => kind === 'Deployment')
          .map(({ metadata }) => metadata.name);
        expect(names.sort()).toEqual([...deployables, fileChecker].sort());
        expect((await Promise.all(objects.map(formFault))).filter((fault) => fault !== undefined)).toEqual(
          [],
        );
      });

      test.each(each)('%s', (_, { faults }) => {
        expect(faults(of(overlay), facts)).toEqual([]);
      });

      test.each(each)('and it would be seen if it were not so that %s', (_, { faults, breakIt }) => {
        const objects = of(overlay);
        breakIt(objects);
        expect(faults(objects, facts)).not.toEqual([]);
      });
    });

    test('secrets.sh makes every Secret and key that an object refers to', async () => {
      await using copy = await copyOfDeploy();
      await makeSecrets(copy.path);
      const made = await madeSecrets(copy.path, [...deployables, 'servers']);
      for (const { secret, key } of of('overlays/small').flatMap(secretsOf)) {
        expect(Object.keys(made[secret] ?? {}), `Secret ${secret}`).toContain(
          key ?? Object.keys(made[secret] ?? {})[0],
        );
      }
      const peers = await readFile(join(copy.path, 'secrets', 'peers.json'), 'utf8');
      expect(made.peers?.['peers.json']).toBe(peers);
      expect(made.notifier?.DATABASE_URL).toMatch(
        /^postgres:\/\/rubrica_notifier:r[0-9a-f]{48}@postgres:5432\/rubrica\?sslmode=verify-full/,
      );
    });

    test('a form that Kubernetes refuses is seen', async () => {
      const [object] = of('overlays/small').filter(({ kind }) => kind === 'Deployment');
      const wrong = { ...object, spec: { ...object?.spec, replicas: 'two' } };
      expect(await formFault(wrong as unknown as KubeObject)).toContain('replicas');
    });

    test.each(deployables)('%s is rendered for itself as it is among all', async (service) => {
      const alone = await render(`overlays/production/${service}`);
      const all = of('overlays/production');
      const byName = (one: KubeObject) => `${one.kind} ${one.metadata.name}`;
      for (const object of alone) {
        expect(object).toEqual(all.find((one) => byName(one) === byName(object)));
      }
      const deployed = alone.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
      expect(deployed.sort()).toEqual(service === 'intake' ? [fileChecker, service] : [service]);
    });
  },
);
