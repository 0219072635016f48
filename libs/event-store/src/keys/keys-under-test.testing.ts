import type { KeyStore } from './port';

export interface KeysUnderTest {
  readonly keys: KeyStore;
  /** Opens the same keys again, as after a restart; undefined where nothing lasts. */
  reopen?(): Promise<KeyStore>;
  /** Another process with the same keys. */
  readonly second?: KeyStore;
  dispose(): Promise<void>;
}
