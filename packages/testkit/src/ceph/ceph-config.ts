export interface CephPaths {
  readonly folder: string;
  readonly clusterId: string;
  readonly monitorPort: number;
  readonly firstPort: number;
  readonly s3Port: number;
}

/**
 * Renders a small configuration on loopback: three copies of each object, of which two suffice, and 64 MB of cache for
 * each OSD.
 */
export function cephConfig({ folder, clusterId, monitorPort, firstPort, s3Port }: CephPaths): string {
  return `[global]
fsid = ${clusterId}
mon host = [v2:127.0.0.1:${monitorPort}]
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
public addr = 127.0.0.1
cluster addr = 127.0.0.1
ms bind ipv6 = false
ms bind port min = ${firstPort}
ms bind port max = ${firstPort + 80}
osd pool default size = 3
osd pool default min size = 2
osd pool default pg num = 8
osd crush chooseleaf type = 0
osd objectstore = bluestore
bluestore block size = 4294967296
bluestore block db size = 0
bluestore block wal size = 0
osd memory target = 402653184
bluestore cache autotune = false
bluestore cache size = 67108864
mon data = ${folder}/mon/$id
mgr data = ${folder}/mgr/$id
osd data = ${folder}/osd/$id
run dir = ${folder}/run
log file = ${folder}/log/$name.log
admin socket = ${folder}/run/$name.asok
pid file = ${folder}/run/$name.pid
keyring = ${folder}/keyring
mon data avail warn = 2
mon data avail crit = 1
rgw frontends = beast endpoint=127.0.0.1:${s3Port}
rgw dns name = 127.0.0.1
rgw data = ${folder}/rgw
rgw run sync thread = false
rgw enable usage log = false
`;
}

type Rights = Readonly<Record<string, string>>;

/** Users of the cluster and their rights. */
export const cephUsers: Readonly<Record<string, Rights>> = {
  'mon.': { mon: 'allow *' },
  'client.admin': { mon: 'allow *', osd: 'allow *', mgr: 'allow *' },
  'mgr.a': { mon: 'allow profile mgr', osd: 'allow *' },
  'client.rgw': { mon: 'allow rw', osd: 'allow rwx' },
  'osd.0': { mon: 'allow profile osd', osd: 'allow *', mgr: 'allow profile osd' },
  'osd.1': { mon: 'allow profile osd', osd: 'allow *', mgr: 'allow profile osd' },
  'osd.2': { mon: 'allow profile osd', osd: 'allow *', mgr: 'allow profile osd' },
};
