import { type Deployable, deployables, fileChecker } from '../read-deployable-settings.ts';
import { type Connection, listConnections, type PodDestination } from './connections.ts';

interface NetworkPolicy {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'NetworkPolicy';
  readonly metadata: { readonly name: string };
  readonly spec: object;
}

interface Ports {
  readonly protocol: 'TCP' | 'UDP';
  readonly port: number | string;
}

function tcp(...ports: readonly (number | string)[]): Ports[] {
  return ports.map((port) => ({ protocol: 'TCP', port }));
}

const pods = (name: string) => ({ podSelector: { matchLabels: { 'app.kubernetes.io/name': name } } });
/** Selects pods in any namespace. */
const podsAnywhere = (name: string) => ({ namespaceSelector: {}, ...pods(name) });
const namespacesWith = (label: string) => ({ namespaceSelector: { matchLabels: { [label]: 'true' } } });

/** All addresses outside private ranges: destinations inside the cluster have their own rules. */
const internet = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    },
  },
  { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
];

const rules: Readonly<
  Record<PodDestination, { readonly to: readonly object[]; readonly ports: readonly Ports[] }>
> = {
  bus: { to: [podsAnywhere('nats')], ports: tcp(4222) },
  database: { to: [podsAnywhere('postgresql')], ports: tcp(5432) },
  gateway: { to: [pods('gateway')], ports: tcp('http') },
  mail: { to: internet, ports: tcp(25, 465, 587) },
  // AWS, or a store in the cluster, whose namespace carries the label.
  store: { to: [namespacesWith('rubrica/is-evidence-store'), ...internet], ports: tcp(443, 8443) },
  collector: { to: [podsAnywhere('opentelemetry-collector')], ports: tcp(4318) },
  'file-checker': { to: [pods(fileChecker)], ports: tcp('checks') },
  internet: { to: internet, ports: tcp(443) },
};

/** Ports that other processes connect to, except the one for health and metrics. */
const serverPorts: Readonly<Partial<Record<Deployable, number>>> = { gateway: 3000, console: 3010 };

/** Lists every policy of a service's pods. Connections that no policy allows are refused. */
export async function networkPolicies(service: Deployable): Promise<NetworkPolicy[]> {
  const connections = await listConnections(service);
  const step = `${service}-provision`;
  const hasStep = connections.some(({ provisioning }) => provisioning);
  const all = hasStep ? [service, step] : [service];
  return [
    denyAll(service, all),
    policy(`${service}-metrics`, [service], {
      ingress: [{ from: [namespacesWith('rubrica/scrapes-metrics')], ports: tcp('management') }],
    }),
    ...(service in serverPorts
      ? [
          policy(`${service}-from-proxy`, [service], {
            ingress: [{ from: [namespacesWith('rubrica/is-proxy')], ports: tcp('http') }],
          }),
        ]
      : []),
    ...(await callersOverHttp(service)),
    ...connections.map((connection) =>
      policy(`${service}-to-${connection.place}`, listPods(service, connection), {
        egress: [rules[connection.place]],
      }),
    ),
    ...(service === 'intake' ? fileCheckerPolicies() : []),
  ];
}

/** Refuses all outgoing traffic, even DNS: a decoded file may have taken the process over. */
function fileCheckerPolicies(): NetworkPolicy[] {
  return [
    policy(fileChecker, [fileChecker], { policyTypes: ['Ingress', 'Egress'] }),
    policy(`${fileChecker}-metrics`, [fileChecker], {
      ingress: [{ from: [namespacesWith('rubrica/scrapes-metrics')], ports: tcp('management') }],
    }),
    policy(`${fileChecker}-from-intake`, [fileChecker], {
      ingress: [{ from: [pods('intake')], ports: tcp('checks') }],
    }),
  ];
}

function listPods(service: Deployable, { running, provisioning }: Connection): string[] {
  return [...(running ? [service] : []), ...(provisioning ? [`${service}-provision`] : [])];
}

/** Lists policies for callers whose settings contain this service's address. */
async function callersOverHttp(service: Deployable): Promise<NetworkPolicy[]> {
  const found: NetworkPolicy[] = [];
  for (const caller of deployables) {
    const calls = (await listConnections(caller)).some(({ place }) => place === service);
    if (!calls) continue;
    const ingress = [{ from: [pods(caller)], ports: tcp('http') }];
    found.push(policy(`${service}-from-${caller}`, [service], { ingress }));
  }
  return found;
}

/** Refuses all incoming traffic, and all outgoing traffic except DNS. */
function denyAll(service: Deployable, names: readonly string[]): NetworkPolicy {
  const dns: Ports[] = [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ];
  return policy(service, names, {
    policyTypes: ['Ingress', 'Egress'],
    egress: [{ to: [podsAnywhereByLabel('k8s-app', 'kube-dns')], ports: dns }],
  });
}

function podsAnywhereByLabel(label: string, value: string) {
  return { namespaceSelector: {}, podSelector: { matchLabels: { [label]: value } } };
}

function policy(name: string, pods: readonly string[], spec: object): NetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: {
      podSelector: {
        matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...pods] }],
      },
      policyTypes: ['ingress' in spec ? 'Ingress' : 'Egress'],
      ...spec,
    },
  };
}
