import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { projectRoot } from '../../src/setup/home.ts';

const run = promisify(execFile);

interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string; optional?: boolean } };
}

export interface Container {
  name: string;
  image: string;
  env?: Variable[];
  envFrom?: { configMapRef?: { name: string } }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
  ports?: { name: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  startupProbe?: Probe;
  readinessProbe?: Probe;
  livenessProbe?: Probe;
}

interface Probe {
  httpGet: { path: string; port: string };
}

export interface Pod {
  containers: Container[];
  initContainers?: Container[];
  automountServiceAccountToken?: boolean;
  securityContext?: { runAsNonRoot?: boolean; runAsUser?: number; seccompProfile?: { type: string } };
  terminationGracePeriodSeconds?: number;
  topologySpreadConstraints?: { labelSelector: Selector }[];
  volumes?: {
    name: string;
    secret?: { secretName: string };
    emptyDir?: object;
    configMap?: object;
    persistentVolumeClaim?: object;
  }[];
}

export interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

/** A Kubernetes object, as far as the sentences look at it. Its whole form is for `kubernetes-models` to check. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string };
  data?: Record<string, string>;
  spec?: {
    replicas?: number;
    strategy?: { rollingUpdate?: { maxSurge: number; maxUnavailable: number } };
    selector?: Selector & Record<string, unknown>;
    template?: { metadata: { labels: Record<string, string> }; spec: Pod };
    maxUnavailable?: number;
    minReplicas?: number;
    scaleTargetRef?: { name: string };
    podSelector?: Selector;
  };
}

/** What `kubectl apply -k` would send. */
export async function render(folder: string): Promise<KubeObject[]> {
  const path = join(projectRoot, 'deploy', 'kubernetes', folder);
  const { stdout } = await run('kubectl', ['kustomize', path], { maxBuffer: 1 << 24 });
  return parseAllDocuments(stdout).map((document) => document.toJS() as KubeObject);
}

/** Why nothing can be rendered here; undefined where it can. */
export async function whyNotRendered(): Promise<string | undefined> {
  try {
    const { stdout } = await run('kubectl', ['version', '--client']);
    const version = /Kustomize Version: v(\d+)/.exec(stdout)?.[1];
    return Number(version) >= 5 ? undefined : 'kubectl is older than 1.27: its Kustomize is not version 5';
  } catch {
    return 'there is no kubectl: apt-get install kubernetes-client (Debian 13 or later)';
  }
}
