import { type Deployable, deployables, fileChecker } from '../settings-of.ts';
import { type Connection, connectionsOf, type Place } from './connections.ts';

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
/** In whatever namespace they run. */
const podsAnywhere = (name: string) => ({ namespaceSelector: {}, ...pods(name) });
const namespacesWith = (label: string) => ({ namespaceSelector: { matchLabels: { [label]: 'true' } } });

/** Everything that is not private: what is inside the cluster has rules of its own. */
const internet = [
  {
    ipBlock: {
      cidr: '0.0.0.0/0',
      except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
    },
  },
  { ipBlock: { cidr: '::/0', except: ['fc00::/7', 'fe80::/10'] } },
];

const rules: Readonly<Record<Place, { readonly to: readonly object[]; readonly ports: readonly Ports[] }>> = {
  bus: { to: [podsAnywhere('nats')], ports: tcp(4222) },
  database: { to: [podsAnywhere('postgresql')], ports: tcp(5432) },
  gateway: { to: [pods('gateway')], ports: tcp('http') },
  mail: { to: internet, ports: tcp(25, 465, 587) },
  // AWS, or what runs in the cluster: its namespace says so.
  store: { to: [namespacesWith('rubrica/is-evidence-store'), ...internet], ports: tcp(443, 8443) },
  collector: { to: [podsAnywhere('opentelemetry-collector')], ports: tcp(4318) },
  'file-checker': { to: [pods(fileChecker)], ports: tcp('checks') },
  internet: { to: internet, ports: tcp(443) },
};

/** Ports that others connect to: who has a server beside the one for health and metrics. */
const served: Readonly<Partial<Record<Deployable, number>>> = { gateway: 3000, console: 3010 };

/** Every policy of a service's pods; whatever none of them allows is refused. */
export async function networkPolicies(service: Deployable): Promise<NetworkPolicy[]> {
  const connections = await connectionsOf(service);
  const step = `${service}-provision`;
  const hasStep = connections.some(({ provisioning }) => provisioning);
  const all = hasStep ? [service, step] : [service];
  return [
    closed(service, all),
    policy(`${service}-metrics`, [service], {
      ingress: [{ from: [namespacesWith('rubrica/scrapes-metrics')], ports: tcp('management') }],
    }),
    ...(service in served
      ? [
          policy(`${service}-from-proxy`, [service], {
            ingress: [{ from: [namespacesWith('rubrica/is-proxy')], ports: tcp('http') }],
          }),
        ]
      : []),
    ...(await callersOverHttp(service)),
    ...connections.map((connection) =>
      policy(`${service}-to-${connection.place}`, whoConnects(service, connection), {
        egress: [rules[connection.place]],
      }),
    ),
    ...(service === 'intake' ? fileCheckerPolicies() : []),
  ];
}

/** Nothing out, not even questions for names: what is decoded there may have taken it over. */
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

function whoConnects(service: Deployable, { running, provisioning }: Connection): string[] {
  return [...(running ? [service] : []), ...(provisioning ? [`${service}-provision`] : [])];
}

/** Who names this service's own address in its settings. */
async function callersOverHttp(service: Deployable): Promise<NetworkPolicy[]> {
  const found: NetworkPolicy[] = [];
  for (const caller of deployables) {
    const calls = (await connectionsOf(caller)).some(({ place }) => place === service);
    if (!calls) continue;
    const ingress = [{ from: [pods(caller)], ports: tcp('http') }];
    found.push(policy(`${service}-from-${caller}`, [service], { ingress }));
  }
  return found;
}

/** Nothing in, and nothing out but questions for names. */
function closed(service: Deployable, names: readonly string[]): NetworkPolicy {
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
