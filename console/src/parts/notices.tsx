/** Where words about what was done are shown. Loaded after the first screen, which has none to say. */
import '@mantine/notifications/styles.layer.css';

export { Notifications, notifications } from '@mantine/notifications';
