// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IPrimeOrders, PRIME_ORDERS} from "../IPrimeOrders.sol";
import {OrderFlags, OrderStatus, TimeInForce} from "../PrimeConstants.sol";
import {PrimeOrdersForge} from "../mock/PrimeOrdersForge.sol";
import {PrimeOrdersMock} from "../mock/PrimeOrdersMock.sol";
import {ForgeTest} from "./ForgeTest.sol";

contract PrimeOrdersMockTest is ForgeTest {
    address private constant ALICE = address(0xa11ce);
    address private constant BOB = address(0xb0b);
    uint32 private _market;

    function setUp() public override {
        super.setUp();
        _market = orders.addMarket("PRM/USD", 5, 10, 1000, 500);
        vm.deal(ALICE, 1_000_000);
        vm.roll(10);
    }

    function levels(uint256 price, uint256 size) private pure returns (IPrimeOrders.Level[] memory list) {
        list = new IPrimeOrders.Level[](size == 0 ? 0 : 1);
        if (size > 0) list[0] = IPrimeOrders.Level(price, size);
    }

    function deposit(uint256 amount) private {
        vm.prank(ALICE);
        PRIME_ORDERS.deposit{value: amount}();
        PrimeOrdersForge.advance(2);
    }

    function submit(bool isBuy, uint256 price, uint256 size, uint8 tif, uint8 flags, uint128 clientId) private {
        vm.prank(ALICE);
        PRIME_ORDERS.submitOrder(_market, isBuy, price, size, tif, flags, clientId);
        PrimeOrdersForge.advance(2);
    }

    function expectOrder(uint128 clientId, uint8 status, uint256 filled) private view {
        (, uint8 found, uint256 traded) = PRIME_ORDERS.orderByClientId(ALICE, clientId);
        require(found == status && traded == filled, "another status or size");
    }

    function expectAccount(int256 collateral, int256 equity, uint256 initial, uint256 withdrawable) private view {
        (int256 c, int256 e, uint256 i, , uint256 w) = PRIME_ORDERS.account(ALICE);
        require(c == collateral && e == equity, "another collateral or equity");
        require(i == initial && w == withdrawable, "another margin");
    }

    function testWritesShowTwoBlocksLater() external {
        vm.prank(ALICE);
        require(PRIME_ORDERS.deposit{value: 100}() == 1, "first ticket");
        expectAccount(0, 0, 0, 0);
        PrimeOrdersForge.advance(1);
        expectAccount(0, 0, 0, 0);
        PrimeOrdersForge.advance(1);
        expectAccount(100, 100, 0, 100);
    }

    function testAReadThatWouldBeStaleSaysSo() external {
        vm.prank(ALICE);
        PRIME_ORDERS.deposit{value: 100}();
        vm.roll(12);
        vm.expectRevert(
            abi.encodeWithSignature("Error(string)", "PrimeOrdersMock: writes wait for this block: call carryOut() first")
        );
        PRIME_ORDERS.account(ALICE);
        orders.carryOut();
        expectAccount(100, 100, 0, 100);
    }

    function testAnOrderRestsAndIsFilledByTheTest() external {
        deposit(10_000);
        submit(true, 100, 50, TimeInForce.GTC, OrderFlags.POST_ONLY, 7);
        expectOrder(7, OrderStatus.OPEN, 0);
        // Nothing traded: the margin is a tenth of the notional at the limit.
        expectAccount(10_000, 10_000, 500, 9_500);
        (IPrimeOrders.Level[] memory bids, IPrimeOrders.Level[] memory asks) = PRIME_ORDERS.book(_market, 5);
        require(bids.length == 1 && asks.length == 0 && bids[0].price == 100 && bids[0].size == 50, "book");
        (uint64 id, , ) = PRIME_ORDERS.orderByClientId(ALICE, 7);
        orders.fill(id, 20);
        expectOrder(7, OrderStatus.OPEN, 20);
        (int256 size, uint256 entry) = PRIME_ORDERS.position(ALICE, _market);
        require(size == 20 && entry == 2_000, "position");
        orders.fill(id, 30);
        expectOrder(7, OrderStatus.FILLED, 50);
        orders.setMark(_market, 110);
        // 50 units, ten dearer; a tenth of 5500 is held.
        expectAccount(10_000, 10_500, 550, 9_450);
    }

    function testATakerTradesWithWhatTheTestOffers() external {
        deposit(10_000);
        IPrimeOrders.Level[] memory asks = new IPrimeOrders.Level[](2);
        asks[0] = IPrimeOrders.Level(100, 10);
        asks[1] = IPrimeOrders.Level(105, 20);
        orders.setBook(_market, levels(90, 10), asks);
        submit(true, 105, 20, TimeInForce.IOC, 0, 1);
        expectOrder(1, OrderStatus.FILLED, 20);
        (int256 size, uint256 entry) = PRIME_ORDERS.position(ALICE, _market);
        require(size == 20 && entry == 100 * 10 + 105 * 10, "both levels");
        (uint256 bid, uint256 ask, uint256 last, ) = PRIME_ORDERS.bestPrices(_market);
        require(bid == 90 && ask == 105 && last == 105, "prices");
        submit(true, 105, 20, TimeInForce.FOK, 0, 2);
        expectOrder(2, OrderStatus.CANCELLED, 0);
        submit(true, 105, 20, TimeInForce.IOC, 0, 3);
        expectOrder(3, OrderStatus.CANCELLED, 10);
        submit(false, 90, 10, TimeInForce.IOC, OrderFlags.REDUCE_ONLY, 4);
        expectOrder(4, OrderStatus.FILLED, 10);
        (int256 left, uint256 leftEntry) = PRIME_ORDERS.position(ALICE, _market);
        // A third of 3100 is released, rounded down.
        require(left == 20 && leftEntry == 3_100 - 1_033, "reduced");
        (int256 collateral, , , , ) = PRIME_ORDERS.account(ALICE);
        require(collateral == 10_000 + 900 - 1_033, "the loss");
    }

    function testRefusalsAreRecorded() external {
        submit(true, 100, 10, TimeInForce.GTC, 0, 1);
        expectOrder(1, OrderStatus.REJECTED, 0);
        deposit(100);
        submit(true, 100, 10, TimeInForce.GTC, 0, 1);
        expectOrder(1, OrderStatus.OPEN, 0);
        submit(true, 101, 10, TimeInForce.GTC, 0, 2);
        expectOrder(2, OrderStatus.REJECTED, 0);
        submit(true, 100, 11, TimeInForce.GTC, 0, 3);
        expectOrder(3, OrderStatus.REJECTED, 0);
        submit(true, 5, 10, TimeInForce.GTC, OrderFlags.REDUCE_ONLY, 4);
        expectOrder(4, OrderStatus.REJECTED, 0);
        orders.setBook(_market, levels(0, 0), levels(5, 10));
        submit(true, 5, 10, TimeInForce.GTC, OrderFlags.POST_ONLY, 5);
        expectOrder(5, OrderStatus.REJECTED, 0);
        // One wei of margin is missing: 100 are held by the first order.
        submit(true, 5, 10, TimeInForce.GTC, 0, 6);
        expectOrder(6, OrderStatus.REJECTED, 0);
    }

    function testCancelsAndWithdrawal() external {
        deposit(1_000);
        submit(true, 100, 10, TimeInForce.GTC, 0, 1);
        submit(true, 95, 10, TimeInForce.GTC, 0, 2);
        vm.prank(ALICE);
        PRIME_ORDERS.cancelByClientId(1);
        PrimeOrdersForge.advance(2);
        expectOrder(1, OrderStatus.CANCELLED, 0);
        vm.prank(ALICE);
        PRIME_ORDERS.withdraw(1_000, BOB);
        PrimeOrdersForge.advance(2);
        require(BOB.balance == 0, "95 are held for the second order");
        vm.prank(ALICE);
        PRIME_ORDERS.cancelAll(0);
        vm.prank(ALICE);
        PRIME_ORDERS.withdraw(1_000, BOB);
        PrimeOrdersForge.advance(2);
        expectOrder(2, OrderStatus.CANCELLED, 0);
        require(BOB.balance == 1_000 && address(orders).balance == 0, "all of it");
    }

    function testLiquidation() external {
        deposit(200);
        orders.setBook(_market, levels(0, 0), levels(100, 10));
        submit(true, 100, 10, TimeInForce.IOC, 0, 0);
        require(!PRIME_ORDERS.isLiquidatable(ALICE), "healthy");
        // Maintenance at 84 is 42, equity 40; at 85 both are above that.
        orders.setMark(_market, 85);
        require(!PRIME_ORDERS.isLiquidatable(ALICE), "still healthy");
        orders.setMark(_market, 84);
        require(PRIME_ORDERS.isLiquidatable(ALICE), "not any more");
        vm.prank(BOB);
        PRIME_ORDERS.liquidate(ALICE);
        PrimeOrdersForge.advance(2);
        require(!PRIME_ORDERS.isLiquidatable(ALICE), "liquidated");
        expectAccount(40, 40, 0, 40);
    }

    function testWhatIsNotKnownIsSaidAsOnAChain() external {
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "unknown market 20"));
        PRIME_ORDERS.bestPrices(20);
        vm.expectRevert(abi.encodeWithSignature("Error(string)", "depth is more than 100"));
        PRIME_ORDERS.book(_market, 101);
        vm.expectRevert(abi.encodeWithSelector(IPrimeOrders.InvalidPrice.selector, 0));
        PRIME_ORDERS.submitOrder(1, true, 0, 1, 0, 0, 0);
        vm.expectRevert(abi.encodeWithSelector(IPrimeOrders.UnknownFunction.selector, bytes4(0x12345678)));
        (bool ok, ) = address(orders).call(hex"12345678");
        ok;
    }

    function testElsewhereItTakesNoWrites() external {
        PrimeOrdersMock elsewhere = new PrimeOrdersMock();
        vm.expectRevert(abi.encodeWithSelector(IPrimeOrders.DelegateCallNotAllowed.selector));
        elsewhere.cancelAll(0);
    }

    function testAnswersOfTheTestComeFirst() external {
        bytes memory read = abi.encodeCall(IPrimeOrders.isLiquidatable, (BOB));
        answer(read, abi.encode(true));
        require(PRIME_ORDERS.isLiquidatable(BOB), "as told");
        answer(read, "");
        require(!PRIME_ORDERS.isLiquidatable(BOB), "taken back");
    }
}
