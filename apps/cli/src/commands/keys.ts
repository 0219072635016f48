import { createKey, openKeys, ROLES } from '@headworks/wiring';
import { complain, print, type Command } from '../command';

export const createApiKey: Command = {
  words: 'keys create',
  args: '--name NAME --role ROLE... --jurisdiction ID...',
  about: 'makes an API key and prints it, once',
  run: async (config, _args, { name, role = [], jurisdiction = [] }) => {
    const unknown = role.filter((one) => !ROLES.includes(one));
    if (name === undefined) return complain('A key has a --name, so that it can be told from the others.');
    if (role.length === 0 || unknown.length > 0) {
      return complain(
        `A key has at least one --role of ${ROLES.join(', ')}${unknown.length > 0 ? `; not ${unknown.join(', ')}` : ''}.`,
      );
    }
    if (jurisdiction.length === 0)
      return complain("A key has at least one --jurisdiction, or '*' for all of them.");
    const keys = await openKeys(config);
    try {
      const createdAt = new Date().toISOString();
      const { secret, row } = await createKey(keys, {
        name,
        roles: role,
        jurisdictions: jurisdiction,
        createdAt,
      });
      print(
        `${secret}\n\nkey ${row.id} (${name}): ${role.join(', ')} in ${jurisdiction.join(', ')}. It is not shown again.`,
      );
      return 0;
    } finally {
      await keys.close();
    }
  },
};

export const listApiKeys: Command = {
  words: 'keys list',
  args: '[--json]',
  about: 'lists the API keys (never their secrets)',
  run: async (config, _args, { json }) => {
    const keys = await openKeys(config);
    try {
      const rows = (await keys.listApiKeys()).map(({ secretHash: _hash, ...row }) => row);
      if (json) print(JSON.stringify(rows, null, 2));
      else if (rows.length === 0) print('There is no key yet; the first start makes an administrator’s.');
      for (const row of json ? [] : rows) {
        const state = row.revokedAt === null ? 'live' : `revoked ${row.revokedAt}`;
        print(
          `${row.id}  ${row.name}  ${row.roles.join(',')}  ${row.jurisdictions.join(',')}  ${row.createdAt}  ${state}`,
        );
      }
      return 0;
    } finally {
      await keys.close();
    }
  },
};

export const revokeApiKey: Command = {
  words: 'keys revoke',
  args: 'ID',
  about: 'ends an API key at once',
  run: async (config, [id]) => {
    if (id === undefined) return complain("Say which key: 'keys list' shows their ids.");
    const keys = await openKeys(config);
    try {
      const revoked = await keys.revokeApiKey(id, new Date().toISOString());
      if (!revoked) return complain(`There is no live key '${id}'.`);
      print(`Key ${id} is revoked.`);
      return 0;
    } finally {
      await keys.close();
    }
  },
};
