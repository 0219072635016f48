export { StartRefused } from '@headworks/event-store';
export { backupIn, backupKeysIn, exportLogIn, importLogIn } from './carry';
export { compose, type ComposeOptions } from './compose';
export { readConfig, type Config } from './config';
export { createKey } from './first-key';
export {
  erasePersonIn,
  openKeys,
  rebuildViewIn,
  verifyChainIn,
  verifyViewsIn,
  type ChainReport,
} from './maintenance';
export { isTrustedUrl, type OidcConfig } from './oidc-config';
export type { Program } from './program';
export { ROLES } from './roles';
export { closeStorage, openStorage, type Storage } from './storage';
export type { ViewQueries } from './views';
