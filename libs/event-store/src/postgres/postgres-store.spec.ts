import { describeEventStore } from '../contract';
import { postgresUnderTest } from './postgres-under-test.testing';

describeEventStore('PostgreSQL', postgresUnderTest);
