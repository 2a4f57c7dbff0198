import { isDeepStrictEqual } from 'node:util';
import { networkPolicies } from '../../src/deploy/kubernetes/network-policies.ts';
import { deployables } from '../../src/deploy/read-deployable-settings.ts';
import type { KubeObject } from './rendered.ts';

/** A policy that the tables demand: its name, and what it says. */
export interface NetworkPolicyFact {
  readonly name: string;
  readonly spec: object;
}

export async function demandedPolicies(): Promise<NetworkPolicyFact[]> {
  const demanded = await Promise.all(deployables.map(networkPolicies));
  return demanded.flat().map(({ metadata, spec }) => ({ name: metadata.name, spec }));
}

/** Policies of the trial's own servers, and the one that refuses what no other allows. */
const besideTables = ['default-deny', 'nats', 'postgresql', 'database-roles'];

export function networkPolicyFacts(
  objects: readonly KubeObject[],
  { policies }: { readonly policies: readonly NetworkPolicyFact[] },
): string[] {
  const rendered = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const names = rendered.map(({ metadata }) => metadata.name);
  const missing = policies
    .filter(({ name }) => !names.includes(name))
    .map(({ name }) => `${name} is missing`);
  const more = names
    .filter((name) => !besideTables.includes(name) && !policies.some((one) => one.name === name))
    .map((name) => `${name} is demanded by nothing`);
  const other = rendered
    .filter(({ metadata, spec }) => {
      const demanded = policies.find(({ name }) => name === metadata.name);
      return demanded !== undefined && !isDeepStrictEqual(spec, demanded.spec);
    })
    .map(({ metadata }) => `${metadata.name} says something else`);
  return [...missing, ...more, ...other, ...(names.includes('default-deny') ? [] : ['nothing is refused'])];
}
