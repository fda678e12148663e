export { createRequestListener, type Served } from '@plumbline/listener'
