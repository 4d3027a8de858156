// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IPrimeOrders} from "../IPrimeOrders.sol";
import {OrderFlags} from "../PrimeConstants.sol";

/// @title The half of {PrimeOrdersMock} that keeps accounts: resting orders, positions, and the arithmetic of margin
/// (docs/protocol/clob.md, Accounting and Margin).
abstract contract MockAccounts is IPrimeOrders {
    struct Market {
        string symbol;
        uint256 tick;
        uint256 lot;
        uint32 imBps;
        uint32 mmBps;
        uint256 last;
        uint256 mark;
        uint8 baseDecimals;
        uint8 quoteDecimals;
    }

    struct Position {
        int256 size;
        uint256 entry;
    }

    struct Order {
        address owner;
        uint32 marketId;
        bool isBuy;
        uint8 flags;
        bool isFilled;
        uint128 clientId;
        uint256 price;
        uint256 size;
        uint256 remaining;
    }

    struct Margin {
        int256 equity;
        uint256 initial;
        uint256 maintenance;
        /// What open orders would lose at once at the price of margin.
        uint256 loss;
    }

    /// @dev Base units and notional of an account's open orders in a market.
    struct Sums {
        uint256 buySize;
        uint256 buyNotional;
        uint256 sellSize;
        uint256 sellNotional;
    }

    uint256 private constant BPS = 10_000;

    uint32[] internal _marketIds;
    mapping(uint32 => Market) internal _markets;
    /// @dev What others offer, best first: bids under true.
    mapping(uint32 => mapping(bool => Level[])) internal _offers;
    mapping(address => int256) internal _collateral;
    mapping(address => mapping(uint32 => Position)) internal _positions;
    mapping(uint64 => Order) internal _orders;
    uint64 internal _lastOrderId;
    mapping(address => uint64[]) internal _openOrders;
    mapping(uint32 => uint64[]) private _resting;
    uint256 internal _insurance;

    function _known(uint32 marketId) internal view returns (Market storage found) {
        found = _markets[marketId];
        if (found.tick == 0) revert(string.concat("unknown market ", _decimal(marketId)));
    }

    // ---- Orders ----

    function _rest(uint64 id, Order storage placed) internal {
        _openOrders[placed.owner].push(id);
        _resting[placed.marketId].push(id);
    }

    function _forget(uint64 id, Order storage ended) internal {
        _remove(_openOrders[ended.owner], id);
        _remove(_resting[ended.marketId], id);
    }

    /// @dev Keeps the order of the others.
    function _remove(uint64[] storage ids, uint64 id) private {
        bool isFound;
        for (uint256 at = 0; at < ids.length; at++) {
            if (isFound) ids[at - 1] = ids[at];
            else isFound = ids[at] == id;
        }
        if (isFound) ids.pop();
    }

    function _setLevels(Level[] storage target, Level[] calldata levels) internal {
        while (target.length > 0) target.pop();
        for (uint256 at = 0; at < levels.length; at++) target.push(levels[at]);
    }

    function _reaches(Order memory made, uint256 price) private pure returns (bool) {
        return made.isBuy ? price <= made.price : price >= made.price;
    }

    /// @dev Base units that others offer within the order's limit.
    function _available(Order memory made) internal view returns (uint256 sum) {
        Level[] storage offers = _offers[made.marketId][!made.isBuy];
        for (uint256 at = 0; at < offers.length && _reaches(made, offers[at].price); at++) sum += offers[at].size;
    }

    /// @dev Trades with what others offer, best first, up to a size.
    function _take(Order storage taker, uint256 wanted) internal {
        Level[] storage offers = _offers[taker.marketId][!taker.isBuy];
        uint256 used;
        while (wanted > 0 && used < offers.length && _reaches(taker, offers[used].price)) {
            uint256 size = offers[used].size < wanted ? offers[used].size : wanted;
            _trade(taker, offers[used].price, size);
            wanted -= size;
            offers[used].size -= size;
            if (offers[used].size == 0) used++;
        }
        if (used == 0) return;
        for (uint256 at = used; at < offers.length; at++) offers[at - used] = offers[at];
        for (uint256 left = used; left > 0; left--) offers.pop();
    }

    /// @dev Levels of a side, best first: what others offer and what accounts have resting.
    function _levels(uint32 marketId, bool isBid, uint256 depth) internal view returns (Level[] memory levels) {
        Level[] storage offers = _offers[marketId][isBid];
        uint64[] storage resting = _resting[marketId];
        Level[] memory all = new Level[](offers.length + resting.length);
        uint256 count;
        for (uint256 at = 0; at < offers.length; at++) count = _insert(all, count, offers[at].price, offers[at].size, isBid);
        for (uint256 at = 0; at < resting.length; at++) {
            Order storage found = _orders[resting[at]];
            if (found.isBuy == isBid) count = _insert(all, count, found.price, found.remaining, isBid);
        }
        levels = new Level[](count < depth ? count : depth);
        for (uint256 at = 0; at < levels.length; at++) levels[at] = all[at];
    }

    function _insert(Level[] memory levels, uint256 count, uint256 price, uint256 size, bool isBid) private pure returns (uint256) {
        uint256 at;
        while (at < count && (isBid ? levels[at].price > price : levels[at].price < price)) at++;
        if (at < count && levels[at].price == price) {
            levels[at] = Level(price, levels[at].size + size);
            return count;
        }
        for (uint256 next = count; next > at; next--) levels[next] = levels[next - 1];
        levels[at] = Level(price, size);
        return count + 1;
    }

    // ---- Accounting ----

    /// @dev A fill of an order: its position, its owner's collateral, the last price.
    function _trade(Order storage traded, uint256 price, uint256 size) internal {
        traded.remaining -= size;
        _markets[traded.marketId].last = price;
        Position storage held = _positions[traded.owner][traded.marketId];
        bool isOpposite = held.size != 0 && (held.size > 0) != traded.isBuy;
        uint256 closed = isOpposite ? _min(size, _absolute(held.size)) : 0;
        if (closed > 0) _collateral[traded.owner] += _reduce(held, closed, price);
        uint256 opened = size - closed;
        held.size += traded.isBuy ? int256(opened) : -int256(opened);
        held.entry += opened * price;
    }

    /// @return gain of closing a part of a position at a price
    function _reduce(Position storage held, uint256 size, uint256 price) private returns (int256 gain) {
        uint256 released = (held.entry * size) / _absolute(held.size);
        gain = held.size > 0 ? int256(size * price) - int256(released) : int256(released) - int256(size * price);
        held.entry -= released;
        held.size += held.size > 0 ? -int256(size) : int256(size);
    }

    function _closePositions(address owner) internal {
        for (uint256 at = 0; at < _marketIds.length; at++) {
            Position storage held = _positions[owner][_marketIds[at]];
            if (held.size != 0)
                _collateral[owner] += _reduce(held, _absolute(held.size), _priceOf(_markets[_marketIds[at]]));
        }
        if (_collateral[owner] >= 0) return;
        uint256 covered = _min(_insurance, uint256(-_collateral[owner]));
        _insurance -= covered;
        _collateral[owner] += int256(covered);
    }

    /// @dev Base units by which an order can make its owner's position smaller.
    function _reducible(Order memory made) internal view returns (uint256) {
        int256 size = _positions[made.owner][made.marketId].size;
        return made.isBuy ? (size < 0 ? uint256(-size) : 0) : (size > 0 ? uint256(size) : 0);
    }

    // ---- Margin ----

    /// @dev Whether the account could still carry everything with the order open. An order that can only reduce needs equity alone.
    function _isCovered(Order memory made) internal view returns (bool) {
        Margin memory margin = _marginWith(made);
        uint256 own = _sideLoss(made.isBuy, made.size, made.size * made.price, _priceOf(_markets[made.marketId]));
        int256 left = margin.equity - int256(margin.loss + own);
        Sums memory open = _sumsOf(made.owner, made.marketId);
        uint256 sameSide = made.isBuy ? open.buySize : open.sellSize;
        if (_reducible(made) >= sameSide + made.size) return left >= 0;
        if (made.flags & OrderFlags.REDUCE_ONLY != 0) return margin.equity >= 0;
        return left >= int256(margin.initial);
    }

    function _marginOf(address owner) internal view returns (Margin memory) {
        Order memory none;
        none.owner = owner;
        return _marginWith(none);
    }

    /// @dev Margin of an account, with the initial margin that it would need with one more order.
    function _marginWith(Order memory made) private view returns (Margin memory margin) {
        margin.equity = _collateral[made.owner];
        for (uint256 at = 0; at < _marketIds.length; at++) _addMarket(margin, made, _marketIds[at]);
    }

    function _addMarket(Margin memory margin, Order memory made, uint32 marketId) private view {
        Market storage of_ = _markets[marketId];
        Position storage held = _positions[made.owner][marketId];
        Sums memory sums = _sumsOf(made.owner, marketId);
        uint256 price = _priceOf(of_);
        if (price > 0) {
            margin.loss += _sideLoss(true, sums.buySize, sums.buyNotional, price);
            margin.loss += _sideLoss(false, sums.sellSize, sums.sellNotional, price);
        }
        if (made.marketId == marketId) _addOrder(sums, made.isBuy, made.size, made.price);
        if (price == 0) {
            margin.initial += _ceilBps(_max(sums.buyNotional, sums.sellNotional), of_.imBps);
            return;
        }
        int256 value = held.size * int256(price);
        margin.equity += held.size >= 0 ? value - int256(held.entry) : int256(held.entry) + value;
        int256 worst = int256(_absolute(held.size));
        if (held.size + int256(sums.buySize) > worst) worst = held.size + int256(sums.buySize);
        if (int256(sums.sellSize) - held.size > worst) worst = int256(sums.sellSize) - held.size;
        margin.initial += _ceilBps(uint256(worst) * price, of_.imBps);
        margin.maintenance += _ceilBps(_absolute(held.size) * price, of_.mmBps);
    }

    function _sumsOf(address owner, uint32 marketId) private view returns (Sums memory sums) {
        uint64[] storage open = _openOrders[owner];
        for (uint256 at = 0; at < open.length; at++) {
            Order storage found = _orders[open[at]];
            if (found.marketId == marketId) _addOrder(sums, found.isBuy, found.remaining, found.price);
        }
    }

    function _addOrder(Sums memory sums, bool isBuy, uint256 size, uint256 price) private pure {
        if (isBuy) {
            sums.buySize += size;
            sums.buyNotional += size * price;
        } else {
            sums.sellSize += size;
            sums.sellNotional += size * price;
        }
    }

    function _sideLoss(bool isBuy, uint256 size, uint256 notional, uint256 price) private pure returns (uint256) {
        if (price == 0) return 0;
        uint256 worth = size * price;
        if (isBuy) return notional > worth ? notional - worth : 0;
        return worth > notional ? worth - notional : 0;
    }

    function _withdrawable(address owner, Margin memory margin) internal view returns (uint256) {
        int256 held = _collateral[owner] < margin.equity ? _collateral[owner] : margin.equity;
        int256 left = held - int256(margin.loss + margin.initial);
        return left > 0 ? uint256(left) : 0;
    }

    function _isLiquidatable(Margin memory margin) internal pure returns (bool) {
        return margin.maintenance > 0 && margin.equity < int256(margin.maintenance);
    }

    /// @dev The price of margin: mark, else last, else none.
    function _priceOf(Market storage of_) private view returns (uint256) {
        return of_.mark > 0 ? of_.mark : of_.last;
    }

    // ---- Numbers ----

    function _ceilBps(uint256 amount, uint32 bps) private pure returns (uint256) {
        return (amount * bps + BPS - 1) / BPS;
    }

    function _absolute(int256 value) private pure returns (uint256) {
        return uint256(value < 0 ? -value : value);
    }

    function _min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }

    function _max(uint256 a, uint256 b) private pure returns (uint256) {
        return a > b ? a : b;
    }

    function _decimal(uint32 value) private pure returns (string memory text) {
        if (value == 0) return "0";
        for (; value > 0; value /= 10) text = string.concat(string(abi.encodePacked(bytes1(uint8(48 + (value % 10))))), text);
    }
}
