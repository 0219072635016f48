import './global-setup';

/** Ends the servers of the run; what a killed run leaves ends by itself (see postgres.ts). */
// oxlint-disable-next-line import/no-default-export -- the shape that jest asks for
export default async function globalTeardown(): Promise<void> {
  const servers = globalThis.headworksTestServers;
  servers?.broker.close();
  const postgres = await servers?.postgres?.catch(() => undefined);
  const redis = await servers?.redis?.catch(() => undefined);
  await Promise.all([postgres?.stop(), redis?.stop()]);
}
