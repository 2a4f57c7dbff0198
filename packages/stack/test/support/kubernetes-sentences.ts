import { type NetworkPolicyFact, networkPolicyFacts } from './network-facts.ts';
import type { Container, KubeObject, Pod, Selector } from './rendered.ts';
import { type SettingsFact, settingFaults } from './setting-faults.ts';

/** Everything that a sentence may look at beside the objects themselves. */
export interface Facts {
  readonly settings: SettingsFact;
  readonly policies: readonly NetworkPolicyFact[];
}

export interface Sentence {
  /** What is wrong, in words; nothing where it holds. */
  faults(objects: readonly KubeObject[], facts: Facts): string[];
  /** Makes it wrong in one place. */
  breakIt(objects: KubeObject[]): void;
}

const ours = ['Deployment', 'Job'];
export const ofKind = (objects: readonly KubeObject[], kind: string) =>
  objects.filter((one) => one.kind === kind);
export const named = (objects: readonly KubeObject[], kind: string, name: string): KubeObject => {
  const found = objects.find((one) => one.kind === kind && one.metadata.name.startsWith(name));
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
export const podOf = ({ spec, metadata }: KubeObject): Pod => {
  if (spec?.template === undefined) throw new Error(`${metadata.name} has no pod`);
  return spec.template.spec;
};
const workloads = (objects: readonly KubeObject[]) => objects.filter(({ kind }) => ours.includes(kind));
/** And no Job of the trial's servers. */
const isOurs = (object: KubeObject) => first(podOf(object)).image.startsWith('rubrica/');
const containersOf = (pod: Pod): Container[] => [...pod.containers, ...(pod.initContainers ?? [])];
const first = (pod: Pod): Container => pod.containers[0] as Container;
const notifier = (objects: KubeObject[]) => podOf(named(objects, 'Deployment', 'notifier'));
const graceReserve = (data: Readonly<Record<string, string>>) =>
  Number(data.SHUTDOWN_TIMEOUT_SECONDS ?? 25) + Number(data.DRAIN_DELAY_SECONDS ?? 0);

/** One fault for each workload that the rule does not hold for. */
const each = (kinds: readonly string[], rule: (pod: Pod, object: KubeObject) => boolean) => {
  return (objects: readonly KubeObject[]) =>
    objects
      .filter(({ kind }) => kinds.includes(kind))
      .filter((object) => !rule(podOf(object), object))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
};
const all = [...ours, 'StatefulSet'];

export const sentences: Readonly<Record<string, Sentence>> = {
  'every pod of a service has startup, readiness and liveness probes': {
    faults: each(['Deployment'], (pod) => {
      const { startupProbe, readinessProbe, livenessProbe, ports } = first(pod);
      const at = [startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet.path);
      const isServed = ports?.some(({ name }) => name === readinessProbe?.httpGet.port) === true;
      return isServed && at.join() === '/livez,/readyz,/livez';
    }),
    breakIt: (objects) => void delete first(notifier(objects)).readinessProbe,
  },
  'grace is longer than the drain delay and the shutdown time': {
    faults: (objects) =>
      each(['Deployment'], (pod) => {
        const data = configOf(objects, first(pod));
        return (pod.terminationGracePeriodSeconds ?? 30) >= graceReserve(data) + 5;
      })(objects),
    breakIt: (objects) => void Object.assign(notifier(objects), { terminationGracePeriodSeconds: 25 }),
  },
  'a new copy is ready before an old one goes': {
    faults: each(['Deployment'], (_, { spec }) => {
      const { maxSurge, maxUnavailable } = spec?.strategy?.rollingUpdate ?? {};
      return maxSurge === 1 && maxUnavailable === 0;
    }),
    breakIt(objects) {
      const { spec } = named(objects, 'Deployment', 'terms');
      if (spec !== undefined) spec.strategy = { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } };
    },
  },
  'no container may write to its root, gain rights or have capabilities': {
    faults: each(all, (pod) =>
      containersOf(pod).every(({ securityContext: has }) => {
        const drops = has?.capabilities?.drop?.join() === 'ALL';
        return has?.readOnlyRootFilesystem === true && has.allowPrivilegeEscalation === false && drops;
      }),
    ),
    breakIt: (objects) => void delete first(notifier(objects)).securityContext?.readOnlyRootFilesystem,
  },
  'no pod runs as root, without seccomp, or with a token for Kubernetes': {
    faults: each(all, ({ securityContext: has, automountServiceAccountToken }) => {
      const isConfined = has?.seccompProfile?.type === 'RuntimeDefault';
      return has?.runAsNonRoot === true && isConfined && automountServiceAccountToken === false;
    }),
    breakIt: (objects) => void delete notifier(objects).automountServiceAccountToken,
  },
  'every container says what it needs, and has a limit of memory': {
    faults: each(all, (pod) =>
      containersOf(pod).every(
        ({ resources }) =>
          Boolean(resources?.requests?.cpu) &&
          Boolean(resources?.requests?.memory) &&
          Boolean(resources?.limits?.memory),
      ),
    ),
    breakIt: (objects) => void delete first(notifier(objects)).resources?.limits,
  },
  'what is mounted is there, and nothing is mounted from the node': {
    faults: each(all, (pod) => {
      const mounted = new Set(
        containersOf(pod).flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)),
      );
      const volumes = pod.volumes ?? [];
      const isHeld = volumes.every(
        (one) => one.secret ?? one.emptyDir ?? one.configMap ?? one.persistentVolumeClaim,
      );
      return (
        isHeld && [...mounted].every((name) => name === 'data' || volumes.some((one) => one.name === name))
      );
    }),
    breakIt: (objects) => void Object.assign(notifier(objects), { volumes: [] }),
  },
  'each selector finds the pods of its own service, and no others': {
    faults: (objects) => [
      ...workloads(objects)
        .filter(({ kind }) => kind === 'Deployment')
        .flatMap((object) => selectorFaults(objects, object)),
      ...[...ofKind(objects, 'PodDisruptionBudget'), ...ofKind(objects, 'Service')].flatMap((object) =>
        selectorFaults(objects, object),
      ),
    ],
    breakIt(objects) {
      const { spec } = named(objects, 'PodDisruptionBudget', 'intake');
      if (spec !== undefined) spec.selector = { matchLabels: { 'app.kubernetes.io/name': 'intak' } };
    },
  },
  'copies of a service are spread over nodes and zones': {
    faults: each(['Deployment'], (pod, { spec }) => {
      const spread = pod.topologySpreadConstraints ?? [];
      const labels = spec?.template?.metadata.labels ?? {};
      return spread.length === 2 && spread.every(({ labelSelector }) => selects(labelSelector, labels));
    }),
    breakIt: (objects) => void Object.assign(notifier(objects), { topologySpreadConstraints: [] }),
  },
  'every disruption budget lets one copy go and leaves one': {
    faults: (objects) =>
      ofKind(objects, 'Deployment')
        .filter(({ metadata: { name }, spec }) => {
          const scaler = ofKind(objects, 'HorizontalPodAutoscaler').find(
            (one) => one.spec?.scaleTargetRef?.name === name,
          );
          const budget = ofKind(objects, 'PodDisruptionBudget').find((one) => one.metadata.name === name);
          const least = scaler?.spec?.minReplicas ?? spec?.replicas ?? 1;
          return budget?.spec?.maxUnavailable !== 1 || least < 2;
        })
        .map(({ metadata }) => metadata.name),
    breakIt(objects) {
      const { spec } = named(objects, 'PodDisruptionBudget', 'terms');
      if (spec !== undefined) spec.maxUnavailable = 2;
    },
  },
  'no copy starts before the provisioning of its release: the Job, the wait and the service are one image': {
    faults: (objects) =>
      ofKind(objects, 'Job')
        .filter(isOurs)
        .flatMap((job) => {
          const [, service = '', version = ''] = /^([a-z]+)-provision-(.+)$/.exec(job.metadata.name) ?? [];
          const pod = podOf(named(objects, 'Deployment', service));
          const wait = pod.initContainers?.find(({ name }) => name === 'await-provisioned');
          const images = [first(podOf(job)).image, wait?.image, first(pod).image];
          const tag = first(pod).image.split(':')[1]?.replaceAll('.', '-');
          return new Set(images).size === 1 && tag === version ? [] : [job.metadata.name];
        }),
    breakIt: (objects) =>
      void Object.assign(first(podOf(named(objects, 'Job', 'notifier'))), {
        image: 'rubrica/notifier:0.0.9',
      }),
  },
  'every secret is by reference, and none is rendered': {
    faults: (objects, { settings }) => [
      ...ofKind(objects, 'Secret').map(({ metadata }) => `Secret ${metadata.name}`),
      ...settingFaults(objects, settings, 'secret'),
    ],
    breakIt: (objects) =>
      void first(notifier(objects)).env?.splice(0, 1, { name: 'NATS_URL', value: 'nats://u:p@nats' }),
  },
  'every setting that is given exists': {
    faults: (objects, { settings }) => settingFaults(objects, settings, 'unknown'),
    breakIt: (objects) => void first(notifier(objects)).env?.push({ name: 'NATS_ULR', value: 'x' }),
  },
  'every setting that is required is given': {
    faults: (objects, { settings }) => settingFaults(objects, settings, 'missing'),
    breakIt: (objects) => void first(notifier(objects)).env?.shift(),
  },
  'whatever the tables of calls and settings connect may connect, and nothing else': {
    faults: networkPolicyFacts,
    breakIt: (objects) =>
      void objects.splice(objects.indexOf(named(objects, 'NetworkPolicy', 'notifier-to-bus')), 1),
  },
  'the file checker has no secret but its own certificate, a user of its own, and limits': {
    faults: (objects) => {
      const pod = fileCheckerPod(objects);
      const { env = [], resources } = first(pod);
      const secrets = (pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []);
      return [
        ...env.map(({ name }) => name),
        ...secrets.filter((name) => name !== 'file-checker-tls'),
        ...(pod.securityContext?.runAsUser === 1001 ? [] : ['its user is that of another']),
        ...(resources?.limits?.cpu && resources.limits.memory ? [] : ['it has no limit']),
      ];
    },
    breakIt: (objects) =>
      void fileCheckerPod(objects).volumes?.push({ name: 'keys', secret: { secretName: 'intake-keys' } }),
  },
  'nothing leads out of the file checker, and intake alone leads in': {
    faults: (objects) =>
      ofKind(objects, 'NetworkPolicy')
        .filter(({ spec }) => selects(spec?.podSelector ?? {}, { 'app.kubernetes.io/name': 'file-checker' }))
        .filter(({ metadata, spec = {} }) => {
          const { egress, ingress } = spec as { egress?: unknown; ingress?: unknown };
          const isKnown = ['file-checker-from-intake', 'file-checker-metrics'].includes(metadata.name);
          return egress !== undefined || (ingress !== undefined && !isKnown);
        })
        .map(({ metadata }) => metadata.name),
    breakIt: (objects) =>
      void Object.assign(named(objects, 'NetworkPolicy', 'file-checker').spec ?? {}, { egress: [{}] }),
  },
};

const fileCheckerPod = (objects: readonly KubeObject[]) =>
  podOf(named(objects, 'Deployment', 'file-checker'));

/** The settings that a container has from its ConfigMap. */
export function configOf(objects: readonly KubeObject[], container: Container): Record<string, string> {
  const names = (container.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name);
  const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => names.includes(metadata.name));
  return Object.assign({}, ...maps.map(({ data }) => data)) as Record<string, string>;
}

/** Of the selector of a Deployment, a budget or a Service named after its service. */
function selectorFaults(objects: readonly KubeObject[], { kind, metadata, spec }: KubeObject): string[] {
  const selector = kind === 'Service' ? { matchLabels: spec?.selector } : spec?.selector;
  const found = objects
    .filter((one) => one.spec?.template !== undefined)
    .filter((one) => selects(selector as Selector, one.spec?.template?.metadata.labels ?? {}));
  const names = found.map((one) => one.metadata.name);
  return names.join() === metadata.name ? [] : [`${kind} ${metadata.name} selects ${names.join(', ')}`];
}

/** Does it select pods with these labels? */
export function selects(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}
